package capture

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"github.com/miekg/dns"
)

// asking packs one question, with tweak before it.
func asking(host string, kind uint16, tweak func(*dns.Msg)) []byte {
	m := new(dns.Msg)
	m.SetQuestion(dns.Fqdn(host), kind)
	m.Id = 0x4242
	if tweak != nil {
		tweak(m)
	}
	b, err := m.Pack()
	if err != nil {
		panic("the test cannot pack its message")
	}
	return b
}

func answering(host string, records ...dns.RR) []byte {
	return asking(host, dns.TypeTXT, func(m *dns.Msg) {
		m.Response = true
		m.Answer = records
	})
}

func head(host string, kind uint16) dns.RR_Header {
	return dns.RR_Header{Name: host, Rrtype: kind, Class: 1, Ttl: 60}
}

// overUDP is a capture of messages, with one of no interest after each.
func overUDP(list [][]byte) []byte {
	return captureOf(func(w *wire) {
		for _, b := range list {
			w.udp(40000, 53, b)
			w.udp(40000, 9, []byte("cover traffic"))
		}
	})
}

// overTCP puts a length before each message.
func overTCP(list [][]byte) []byte {
	var out []byte
	for _, b := range list {
		out = append(binary.BigEndian.AppendUint16(out, uint16(len(b))), b...)
	}
	return out
}

func TestMessagesShowWhatTheyCarry(t *testing.T) {
	p := plant(4)
	var plain, numbered, kinds, ids, cookies, padded, ttls, trailing [][]byte
	var txt, cname, a, aaaa [][]byte
	for k, s := range parts(p.base32(), 5) {
		plain = append(plain, asking(s+".t.exfil.test", dns.TypeA, nil), asking(s+".t.exfil.test", dns.TypeAAAA, nil))
		numbered = append(numbered, asking(fmt.Sprintf("%d-%s.t.exfil.test", 9+k, s), dns.TypeA, nil))
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(numbered), func(i, k int) { numbered[i], numbered[k] = numbered[k], numbered[i] })
	var byID [][]byte
	for _, k := range rand.New(rand.NewPCG(1, 6)).Perm(8) {
		byID = append(byID, asking(parts(p.text, 8)[k]+".exfil.test", dns.TypeA, func(m *dns.Msg) { m.Id = 100 + uint16(k) }))
	}
	for k := 0; k < 16; k += 2 {
		id := binary.BigEndian.Uint16(p.raw[k:])
		ids = append(ids, asking("www.exfil.test", dns.TypeA, func(m *dns.Msg) { m.Id = id }))
	}
	for _, bit := range p.bits() {
		kind := dns.TypeA
		if bit {
			kind = dns.TypeAAAA
		}
		kinds = append(kinds, asking("www.exfil.test", kind, nil))
	}
	for k := 0; k < 16; k += 4 {
		four := p.raw[k : k+4]
		cookies = append(cookies, asking("www.exfil.test", dns.TypeA, func(m *dns.Msg) {
			o := &dns.OPT{Hdr: dns.RR_Header{Name: ".", Rrtype: dns.TypeOPT}}
			o.Option = append(o.Option, &dns.EDNS0_LOCAL{Code: 65001, Data: four})
			m.Extra = append(m.Extra, o)
		}))
		padded = append(padded, asking("www.exfil.test", dns.TypeA, func(m *dns.Msg) {
			o := &dns.OPT{Hdr: dns.RR_Header{Name: ".", Rrtype: dns.TypeOPT}}
			o.Option = append(o.Option, &dns.EDNS0_PADDING{Padding: append([]byte{0, 0}, four...)})
			m.Extra = append(m.Extra, o)
		}))
		trailing = append(trailing, append(asking("www.exfil.test", dns.TypeA, nil), four...))
		a = append(a, answering("www.exfil.test", &dns.A{Hdr: head("www.exfil.test.", dns.TypeA), A: net.IP(four)}))
		aaaa = append(aaaa, answering("www.exfil.test", &dns.AAAA{Hdr: head("www.exfil.test.", dns.TypeAAAA), AAAA: append(net.ParseIP("2001:db8::")[:12:12], four...)}))
	}
	for _, c := range p.raw {
		rr := &dns.A{Hdr: head("www.exfil.test.", dns.TypeA), A: net.IPv4(10, 0, 0, 1)}
		rr.Hdr.Ttl = 256 + uint32(c)
		ttls = append(ttls, answering("www.exfil.test", rr))
	}
	for _, s := range parts(p.base64(), 4) {
		txt = append(txt, answering("www.exfil.test", &dns.TXT{Hdr: head("www.exfil.test.", dns.TypeTXT), Txt: []string{s[:3], s[3:]}}))
	}
	for _, s := range parts(p.text, 4) {
		cname = append(cname, answering("www.exfil.test", &dns.CNAME{Hdr: head("www.exfil.test.", dns.TypeCNAME), Target: s + ".c.exfil.test."}))
	}
	random := make([]byte, 32)
	for i := range random {
		random[i] = byte(i * 7)
	}
	expectAll(t, p, []hidden{
		{name: "labels, each asked twice", bytes: overUDP(plain)},
		{name: "labels behind lengths", bytes: overTCP(plain)},
		{name: "labels of messages one after the other", bytes: bytes.Join(plain, nil)},
		{name: "labels of messages between other bytes", bytes: append(random, bytes.Join(plain, random)...)},
		{name: "labels with numbers, out of order", bytes: overUDP(numbered)},
		{name: "labels in the order of ids", bytes: overUDP(byID)},
		{name: "ids", bytes: overUDP(ids)},
		{name: "types", bytes: overUDP(kinds)},
		{name: "options", bytes: overUDP(cookies)},
		{name: "padding", bytes: overUDP(padded)},
		{name: "bytes after the message", bytes: overUDP(trailing)},
		{name: "times to live", bytes: overUDP(ttls)},
		{name: "strings of TXT", bytes: overUDP(txt)},
		{name: "names of CNAME", bytes: overUDP(cname)},
		{name: "addresses", bytes: overUDP(a)},
		{name: "longer addresses", bytes: overUDP(aaaa)},
		{name: "one message", bytes: asking(strings.Join(parts(p.text, 4), ".")+".exfil.test", dns.TypeA, nil)},
		{name: "over a stream", bytes: captureOf(func(w *wire) {
			for k, s := range parts(string(overTCP(plain)), 7) {
				w.tcp(segment{sport: 4000, dport: 53, seq: uint32(40 * k), flags: 16, pay: []byte(s)})
			}
		}), depth: 2},
	})
}

func TestTextsOfNamesShowWhatTheyCarry(t *testing.T) {
	p := plant(5)
	each := func(list []string, format string) []byte {
		var b strings.Builder
		for k, s := range list {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "#", fmt.Sprint(k+1)), s)
			b.WriteByte('\n')
		}
		return []byte(b.String())
	}
	shuffled := func(b []byte) []byte {
		lines := bytes.SplitAfter(bytes.TrimSpace(b), []byte{'\n'})
		lines[len(lines)-1] = append(lines[len(lines)-1], '\n')
		rand.New(rand.NewPCG(7, 1)).Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
		return bytes.Join(lines, nil)
	}
	hexes, alone := parts(p.text, 8), parts(p.text, 32)
	var cases, choice, sized, reversed4, reversed6, words strings.Builder
	letters := 0
	bits := p.bits()
	for letters < len(bits) {
		for _, c := range []byte("wwwmailexample.exfil.test") {
			if c != '.' && letters < len(bits) {
				if bits[letters] {
					c -= 32
				}
				letters++
			}
			cases.WriteByte(c)
		}
		cases.WriteByte('\n')
	}
	for _, bit := range bits {
		choice.WriteString(map[bool]string{false: "cdn", true: "img"}[bit] + ".exfil.test\n")
	}
	for k, c := range p.text {
		n, _ := hex.DecodeString("0" + string(c))
		fmt.Fprintf(&sized, "%s.t%d.exfil.test\n", strings.Repeat("x", 1+int(n[0])), k%3)
		fmt.Fprintf(&words, "%s.exfil.test\n", []string{"ab", "cd", "ef", "gh", "ij", "kl", "mn", "op", "qr", "st", "uv", "wx", "yz", "zz1", "zz2", "zz3"}[n[0]])
	}
	for k := 0; k < 16; k += 4 {
		fmt.Fprintf(&reversed4, "query: %d.%d.%d.%d.in-addr.arpa IN PTR\n", p.raw[k+3], p.raw[k+2], p.raw[k+1], p.raw[k])
	}
	for k := len(p.text) - 1; k >= 0; k-- {
		fmt.Fprintf(&reversed6, "%c.", p.text[k])
	}
	perByte := make([]string, 16)
	for k, c := range p.raw {
		perByte[k] = fmt.Sprint(c)
	}
	var separately []string
	for _, s := range []string{string(p.raw[:3]), string(p.raw[3:7]), string(p.raw[7:9]), string(p.raw[9:])} {
		separately = append(separately, strings.ToLower(dnsBase32(s)))
	}
	var tunnel []string
	iodine := lower + digit[:6]
	for k := 0; k < 16; k += 4 {
		tunnel = append(tunnel, "0abc"+fmt.Sprint(k%10)+encodeWith(iodine, p.raw[k:k+4]))
	}
	var framed []string
	for k := 0; k < 16; k += 4 {
		framed = append(framed, hex.EncodeToString(append([]byte{0x12, byte(k * 3), 1, 7, 7, 0, byte(k), 0, 1}, p.raw[k:k+4]...)))
	}
	expectAll(t, p, []hidden{
		{name: "list", bytes: each(hexes, "%s.exfil.test")},
		{name: "list of two labels", bytes: each(hexes, "%s.local")},
		{name: "list with numbers, shuffled", bytes: shuffled(each(hexes, "#.%s.exfil.test"))},
		{name: "number before a hyphen, shuffled", bytes: shuffled(each(parts(p.base32(), 12), "#-%s.exfil.test"))},
		{name: "number after a hyphen, shuffled", bytes: shuffled(each(parts(p.base32(), 12), "%s-#.exfil.test"))},
		{name: "number with a letter, in the second label, shuffled", bytes: shuffled(each(hexes, "%s.s#.id7.exfil.test"))},
		{name: "number and count", bytes: shuffled(each(hexes, "#.8.%s.exfil.test"))},
		{name: "number of fixed width without a sign, shuffled", bytes: shuffled(each(hexes, "1#%s.exfil.test"))},
		{name: "two at once", bytes: interleaved(hexes)},
		{name: "a letter each", bytes: each(alone, "%sx#.exfil.test")},
		{name: "last labels of all", bytes: each(hexes, "www.n#.%s.exfil.test")},
		{name: "log of BIND", bytes: each(hexes, "30-Nov-2026 06:00:0#.123 queries: info: client @0x7f 10.0.0.5#5353 (%[1]s.exfil.test): query: %[1]s.exfil.test IN A +E(0)K (10.0.0.1)")},
		{name: "log of dnsmasq", bytes: each(hexes, "Nov 30 06:00:0# host dnsmasq[12]: query[A] %s.exfil.test from 10.0.0.5")},
		{name: "log of unbound", bytes: each(hexes, "[1700000000] unbound[1:0] info: 10.0.0.5 %s.exfil.test. A IN")},
		{name: "log of CoreDNS", bytes: each(hexes, `[INFO] 10.0.0.5:4000 - # "A IN %s.exfil.test. udp 50 false 512" NXDOMAIN qr,rd 120 0.01s`)},
		{name: "log in JSON", bytes: each(hexes, `{"time":"2026-11-30T06:00:0#Z","qname":"%s.exfil.test","qtype":"A"}`)},
		{name: "tcpdump", bytes: each(hexes, "06:00:00.00000# IP 10.0.0.5.4000 > 10.0.0.1.53: 1#+ A? %s.exfil.test. (40)")},
		{name: "case of letters", bytes: []byte(cases.String())},
		{name: "choice of a host", bytes: []byte(choice.String())},
		{name: "reverse names", bytes: []byte(reversed4.String())},
		{name: "reverse name of nibbles", bytes: []byte(reversed6.String() + "ip6.arpa\n" + reversed6.String() + "ip6.arpa\n")},
		{name: "numbers", bytes: each(perByte, "%s.exfil.test")},
		{name: "name by name in base32", bytes: each(separately, "%s.exfil.test")},
		{name: "iodine", bytes: each(tunnel, "%s.t.exfil.test")},
		{name: "a header of nine bytes, as dnscat2 has", bytes: each(framed, "dnscat.%s")},
		{name: "zone of TXT, shuffled", bytes: shuffled(each(parts(p.base64(), 8), "r# 60 IN TXT \"%s\""))},
		{name: "answers of dig", bytes: each(parts(p.base64(), 4), "n#.exfil.test.\t60\tIN\tTXT\t\"%s\"")},
		{name: "addresses of a log", bytes: addressesOf(p)},
	})
	for name, b := range map[string]string{"lengths of labels": sized.String(), "words for digits": words.String()} {
		if !symbols(p, []byte(b)) {
			t.Errorf("%s: no view has one byte for each digit", name)
		}
	}
}

func dnsBase32(s string) string {
	return strings.ToUpper(encodeWith(lower+"234567", []byte(s)))
}

// encodeWith writes bits in letters, most significant first.
func encodeWith(letters string, b []byte) string {
	a := newAlphabet(letters, false)
	var out []byte
	acc, n := 0, 0
	for _, c := range b {
		acc, n = acc<<8|int(c), n+8
		for n >= a.bits {
			n -= a.bits
			out = append(out, letters[acc>>n&(1<<a.bits-1)])
		}
	}
	if n > 0 {
		out = append(out, letters[acc<<(a.bits-n)&(1<<a.bits-1)])
	}
	return string(out)
}

func addressesOf(p planted) []byte {
	var b strings.Builder
	for k := 0; k < 16; k += 4 {
		fmt.Fprintf(&b, "reply www%d.exfil.test is %d.%d.%d.%d\n", k, p.raw[k], p.raw[k+1], p.raw[k+2], p.raw[k+3])
	}
	return []byte(b.String())
}

func interleaved(list []string) []byte {
	var b strings.Builder
	for k, s := range list {
		fmt.Fprintf(&b, "a1.%d.%s.exfil.test\nb2.%d.%08x.exfil.test\n", k, s, k, 77*k+1<<30)
	}
	return []byte(b.String())
}
