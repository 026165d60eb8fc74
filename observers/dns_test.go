package observers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"postern/fixtures/channel"
)

const dnsUnits = 12 // of the pilots of one phase

func newDNS(t *testing.T, tr *trial) *DNS {
	t.Helper()
	o, err := NewDNS(tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

func packed(t *testing.T, q *dns.Msg) []byte {
	t.Helper()
	b, err := q.Pack()
	if err != nil {
		t.Fatal("the question was not packed")
	}
	return b
}

func question(t *testing.T, name string) []byte {
	return packed(t, new(dns.Msg).SetQuestion(name, dns.TypeA))
}

func framed(b []byte) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(b))), b...)
}

// messages that hold one canary once, well-formed and not.
func dnsMessages(t *testing.T, canary string) map[string][]byte {
	mixed := []rune(canary)
	for i := range mixed {
		if i%3 == 0 {
			mixed[i] = []rune(strings.ToUpper(canary))[i]
		}
	}
	owner := new(dns.Msg).SetQuestion("postern.test.", dns.TypeA)
	owner.Extra = []dns.RR{&dns.TXT{Hdr: dns.RR_Header{Name: canary[:5] + "." + canary[5:] + ".test.", Rrtype: dns.TypeTXT, Class: dns.ClassINET}, Txt: []string{"x"}}}
	option := new(dns.Msg).SetQuestion("postern.test.", dns.TypeA).SetEdns0(4096, false)
	option.IsEdns0().Option = []dns.EDNS0{&dns.EDNS0_LOCAL{Code: 65001, Data: []byte(canary)}}
	split := strings.Join([]string{canary[:1], canary[1:9], canary[9:30], canary[30:], "postern.test."}, ".")
	half := question(t, split)
	return map[string][]byte{
		"a label":                question(t, canary+".postern.test."),
		"a label in mixed case":  question(t, string(mixed)+".postern.test."),
		"a name cut into labels": question(t, split),
		"an owner's name cut":    packed(t, owner),
		"an option":              packed(t, option),
		"after the message":      append(question(t, "postern.test."), canary...),
		"a response":             packed(t, &dns.Msg{MsgHdr: dns.MsgHdr{Response: true}, Question: []dns.Question{{Name: canary + ".", Qtype: 1, Qclass: 1}}}),
		"no message at all":      []byte(canary),
		"cut labels, then cut":   half[:len(half)-2],
		"too many questions":     append(append([]byte{0, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 32}, canary...), 0, 0, 1, 0, 1),
	}
}

func TestDNSSeesEveryMessageOnce(t *testing.T) {
	tr := newTrial(t)
	for name, m := range dnsMessages(t, tr.text(channel.DNSLabel)) {
		for _, network := range []string{"udp4", "tcp4"} {
			o := newDNS(t, tr)
			pilot(t, o, channel.PilotBefore)
			b := m
			if network == "tcp4" {
				b = framed(m)
			}
			if err := sendTo(t.Context(), network, o.Addr(), b); err != nil {
				t.Fatal("a send failed")
			}
			pilot(t, o, channel.PilotAfter)
			r := collect(t, o)
			sound(t, r)
			if len(r.Observations) != 1 || r.Observations[0] != (Observation{channel.DNSLabel, channel.SinkDNS, 1}) {
				t.Errorf("%s over %s: %v", name, network, r.Observations)
			}
		}
	}
}

func TestDNSSurvivesNonsense(t *testing.T) {
	tr := newTrial(t)
	o := newDNS(t, tr)
	whole := question(t, tr.text(channel.NetTCP4)+".postern.test.")
	bad := [][]byte{nil, {0}, bytes.Repeat([]byte{0xff}, 2000), bytes.Repeat([]byte{0xc0, 12}, 600), make([]byte, 65507)}
	for i := range whole {
		bad = append(bad, whole[:i])
	}
	for _, b := range bad {
		for _, send := range []struct {
			network string
			b       []byte
		}{{"udp4", b}, {"tcp4", b}, {"tcp4", framed(b)}} {
			if err := sendTo(t.Context(), send.network, o.Addr(), send.b); err != nil {
				t.Fatal("a send failed")
			}
		}
	}
	for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
		pilot(t, o, phase)
	}
	for _, network := range []string{"udp", "tcp"} {
		in, _, err := (&dns.Client{Net: network, Timeout: time.Minute}).Exchange(new(dns.Msg).SetQuestion("postern.test.", dns.TypeTXT), o.Addr())
		if err != nil || in.Rcode != dns.RcodeNameError {
			t.Errorf("%s: no NXDOMAIN after the nonsense, error %v", network, err)
		}
	}
	r := collect(t, o)
	sound(t, r)
	if want := 3*len(bad) + 2*dnsUnits + 2; r.Hearing.Units != want {
		t.Errorf("%d units, want %d", r.Hearing.Units, want)
	}
}

// A connection that the server gave up on is read to its end all the same.
func TestDNSReadsBehindAMessageThatIsTooShort(t *testing.T) {
	tr := newTrial(t)
	o := newDNS(t, tr)
	c := dial(t, "tcp4", o.Addr())
	for i := range 300 {
		write(t, c, fmt.Sprintf("\x00\x02%02d", i%100))
	}
	write(t, c, tr.text(channel.DNSLabelTCP))
	c.Close()
	r := collect(t, o)
	saw(t, r, map[channel.ID]int{channel.DNSLabelTCP: 1})
	if r.Hearing.Drops != 0 {
		t.Errorf("%+v", r.Hearing)
	}
}

func TestDNSParsesEveryMessageOfALongConnection(t *testing.T) {
	tr := newTrial(t)
	o := newDNS(t, tr)
	text := tr.text(channel.DNSLabelTCP)
	c := dial(t, "tcp4", o.Addr())
	for range 200 {
		write(t, c, string(framed(question(t, "postern.test."))))
	}
	write(t, c, string(framed(question(t, text[:16]+"."+text[16:]+".test."))))
	c.(*net.TCPConn).CloseWrite()
	io.Copy(io.Discard, c)
	c.Close()
	saw(t, collect(t, o), map[channel.ID]int{channel.DNSLabelTCP: 1})
}

func FuzzNameReadings(f *testing.F) {
	tr := newTrial(&testing.T{})
	for _, m := range []string{"", "\x00", strings.Repeat("\xc0\x0c", 40)} {
		f.Add([]byte(m))
	}
	text := tr.text(channel.DNSLabel)
	f.Fuzz(func(t *testing.T, m []byte) {
		for _, n := range namesIn(m) {
			n.readings()
		}
		// Whatever stands behind it, a first name cut into labels is joined.
		head := append(make([]byte, 5, 300), 1, 0, 0, 0, 0, 0, 0)
		head = append(head, 3)
		head = append(head, text[:3]...)
		head = append(head, 29)
		head = append(head, text[3:]...)
		head = append(head, 0)
		if names := namesIn(append(head, m...)); len(names) == 0 || !bytes.Contains(names[0].readings()[0], []byte(text)) {
			t.Error("the first name was lost")
		}
	})
}
