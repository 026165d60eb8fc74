package observers

import "github.com/miekg/dns"

const (
	headerSize = 12 // RFC 1035, 4.1.1
	nameSize   = 255
)

// joinNames returns the names in a message, each with its labels joined
// together, so that a canary cut into labels is whole again. Of a message
// that does not parse it takes what stands where the first name should be.
func joinNames(m []byte) []byte {
	var out []byte
	var msg dns.Msg
	if msg.Unpack(m) != nil {
		if len(m) <= headerSize {
			return nil
		}
		name, _, err := dns.UnpackDomainName(m, headerSize)
		if err != nil {
			return nil
		}
		return joinLabels(nil, name)
	}
	for _, q := range msg.Question {
		out = joinLabels(out, q.Name)
	}
	for _, section := range [][]dns.RR{msg.Answer, msg.Ns, msg.Extra} {
		for _, rr := range section {
			out = joinLabels(out, rr.Header().Name)
		}
	}
	return out
}

// joinLabels appends the labels of a name and an empty line, which joins with
// nothing.
func joinLabels(out []byte, name string) []byte {
	var wire [nameSize + 1]byte // on the wire no escapes are left
	n, err := dns.PackDomainName(name, wire[:], 0, nil, false)
	if err != nil {
		return out
	}
	for at := 0; at < n && wire[at] != 0; at += 1 + int(wire[at]) {
		out = append(out, wire[at+1:at+1+int(wire[at])]...)
	}
	return append(out, "\n\n"...)
}
