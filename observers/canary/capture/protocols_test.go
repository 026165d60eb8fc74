package capture

import (
	"bytes"
	"encoding/asn1"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// helloBytes is a ClientHello in a record.
func helloBytes(random, session []byte, host string, suites []byte) []byte {
	b := append([]byte{3, 3}, random...)
	b = append(append(b, byte(len(session))), session...)
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(suites))), suites...)
	b = append(b, 1, 0)
	sni := binary.BigEndian.AppendUint16(nil, uint16(len(host)+3))
	sni = append(binary.BigEndian.AppendUint16(append(sni, 0), uint16(len(host))), host...)
	ext := binary.BigEndian.AppendUint16([]byte{0, 0}, uint16(len(sni)))
	ext = append(ext, sni...)
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(ext))), ext...)
	hand := append([]byte{1, 0, byte(len(b) >> 8), byte(len(b))}, b...)
	return append(binary.BigEndian.AppendUint16([]byte{22, 3, 1}, uint16(len(hand))), hand...)
}

func TestOtherProtocolsShowWhatTheyCarry(t *testing.T) {
	p := plant(8)
	four, eight := parts(p.text, 4), parts(p.text, 8)
	cover := func(k int) []byte { return bytes.Repeat([]byte{byte(17 * k)}, 32) }
	var randoms, hosts, sessions, suites, published, options []byte
	for k := 0; k < 4; k++ {
		r := append(bytes.Repeat([]byte{0x55}, 28), p.raw[4*k:4*k+4]...)
		randoms = append(randoms, helloBytes(r, nil, "a.test", []byte{0x13, 1})...)
		hosts = append(hosts, helloBytes(cover(k), nil, four[k]+".exfil.test", []byte{0x13, 1})...)
		sessions = append(sessions, helloBytes(cover(k), []byte(four[k]), "a.test", []byte{0x13, 1})...)
		s := fmt.Appendf([]byte{0, 3}, "a/b%s", four[k])
		published = append(published, append([]byte{0x30, byte(len(s))}, s...)...)
		options = append(options, append([]byte{43, 4}, p.raw[4*k:4*k+4]...)...)
	}
	for _, c := range p.raw {
		suites = append(suites, 0xc0, c)
	}
	long := make([]byte, 236)
	long[0] = 1
	type binding struct {
		ID    asn1.ObjectIdentifier
		Value []byte
	}
	var bindings []binding
	for k, s := range eight {
		bindings = append(bindings, binding{asn1.ObjectIdentifier{1, 3, 6, 1, k}, []byte(s)})
	}
	snmp, err := asn1.Marshal(struct {
		Version   int
		Community []byte
		Bindings  []binding
	}{1, []byte("public"), bindings})
	if err != nil {
		t.Fatal(err)
	}
	id := asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1}
	for _, c := range p.raw {
		id = append(id, int(c))
	}
	arcs, err := asn1.Marshal([]asn1.ObjectIdentifier{id})
	if err != nil {
		t.Fatal(err)
	}
	expectAll(t, p, []hidden{
		{name: "randoms of hellos", bytes: randoms},
		{name: "names of hellos", bytes: hosts},
		{name: "sessions of hellos", bytes: sessions},
		{name: "suites of a hello", bytes: helloBytes(cover(1), nil, "a.test", suites)},
		{name: "names of hellos over connections", bytes: captureOf(func(w *wire) {
			for k, s := range four {
				w.tcp(segment{sport: uint16(4000 + k), dport: 443, seq: 1, flags: 16, pay: helloBytes(cover(k), nil, s+".exfil.test", []byte{0x13, 1})})
			}
		})},
		{name: "payloads of MQTT", bytes: published},
		{name: "options of DHCP", bytes: append(append(append(long, dhcpMagic...), options...), 255)},
		{name: "bindings of SNMP", bytes: snmp},
		{name: "numbers of an object", bytes: arcs},
		{name: "telnet", bytes: append([]byte{255, 253, 1, 255, 251, 3}, []byte(p.text[:7]+"\xff\xf1"+p.text[7:])...)},
		{name: "messages of IRC", bytes: []byte("NICK a\r\nUSER a\r\nPRIVMSG #c :" + strings.Join(eight, "\r\nPING :x\r\nPRIVMSG #c :") + "\r\n")},
		{name: "arguments of FTP", bytes: []byte("USER a\r\nPASS b\r\nSTOR " + strings.Join(eight, "\r\nPASV\r\nSTOR ") + "\r\n")},
	})
}

func TestMailIsReadWithoutTheDotsThatWerePutBeforeDots(t *testing.T) {
	p := planted{text: "0a2e0a2e41420a2e43440a2e45460a2e", raw: []byte("\n.\n.AB\n.CD\n.EF\n.")}
	stuffed := bytes.ReplaceAll(p.raw, []byte("\n."), []byte("\n.."))
	expectAll(t, p, []hidden{
		{name: "SMTP", bytes: []byte("HELO a\r\nDATA\r\nabc" + string(stuffed) + "\r\n.\r\nQUIT\r\n")},
		{name: "SMTP behind a program", bytes: []byte(strings.Repeat("\x7fELF\x00", 1<<14) + "abc" + string(stuffed) + "\r\n.\r\nQUIT\r\n")},
		{name: "POP3", bytes: []byte("+OK 20 octets\r\nabc" + string(stuffed) + "\r\n.\r\n+OK\r\n")},
	})
}
