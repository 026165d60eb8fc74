package observers

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/miekg/dns"
)

const (
	headerSize = 12 // RFC 1035, 4.1.1
	nameSize   = 255
)

// dnsName is a name as its labels, without escapes.
type dnsName [][]byte

// namesIn returns the names in a message. Of one that does not parse it takes
// what stands where the first name should be.
func namesIn(m []byte) []dnsName {
	var msg dns.Msg
	if msg.Unpack(m) != nil {
		name, _, _ := firstName(m)
		return name
	}
	var out []dnsName
	for _, q := range msg.Question {
		out = append(out, labels(q.Name)...)
	}
	for _, section := range [][]dns.RR{msg.Answer, msg.Ns, msg.Extra} {
		for _, rr := range section {
			out = append(out, labels(rr.Header().Name)...)
		}
	}
	return out
}

// firstName reads the name behind the header, whatever the header says, and
// returns where it ends.
func firstName(m []byte) (_ []dnsName, end int, ok bool) {
	if len(m) <= headerSize {
		return nil, 0, false
	}
	name, end, err := dns.UnpackDomainName(m, headerSize)
	return labels(name), end, err == nil
}

// labels returns the one name that a text is, or none.
func labels(text string) []dnsName {
	var wire [nameSize + 1]byte // on the wire no escapes are left
	n, err := dns.PackDomainName(text, wire[:], 0, nil, false)
	if err != nil {
		return nil
	}
	var name dnsName
	for at := 0; at < n && wire[at] != 0; at += 1 + int(wire[at]) {
		name = append(name, wire[at+1:at+1+int(wire[at])])
	}
	return []dnsName{name}
}

// readings are the name with its labels joined together, so that a canary cut
// into labels is whole again, and once more where it has another reading:
// without dashes, or as the address that it stands for.
func (n dnsName) readings() [][]byte {
	whole := bytes.Join(n, nil)
	all := [][]byte{whole}
	if plain := bytes.ReplaceAll(whole, []byte("-"), nil); len(plain) < len(whole) {
		all = append(all, plain)
	}
	if digits := n.digits(); digits != nil {
		all = append(all, digits)
	}
	return all
}

// line is the name as text, with a dot behind each label and its end, and what
// is no graphic character by its number (RFC 1035, 5.1).
func (n dnsName) line() []byte {
	var out []byte
	for _, l := range n {
		for _, c := range l {
			if c <= ' ' || c >= 0x7f || c == '.' || c == '\\' {
				out = fmt.Appendf(out, "\\%03d", c)
			} else {
				out = append(out, c)
			}
		}
		out = append(out, '.')
	}
	return append(out, '\n')
}

// digits returns the 32 digits of an address of IPv6 whose name it is (RFC
// 3596, 2.5), or nothing.
func (n dnsName) digits() []byte {
	if !n.below("ip6", "arpa") || len(n) != 34 {
		return nil
	}
	var out []byte
	for _, digit := range slices.Backward(n[:32]) {
		out = append(out, digit...)
	}
	return out
}

// below reports whether a name ends in these labels.
func (n dnsName) below(zone ...string) bool {
	if len(n) < len(zone) {
		return false
	}
	for i, l := range n[len(n)-len(zone):] {
		if !strings.EqualFold(string(l), zone[i]) {
			return false
		}
	}
	return true
}
