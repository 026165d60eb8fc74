package corpus

import (
	"encoding/binary"
	"fmt"
	"net"
	"strings"

	"github.com/miekg/dns"
)

const iodineSet = "abcdefghijklmnopqrstuvwxyz012345"

// zone is what the names end in.
const zone = ".t.example.com"

// asked are names in the lines of a resolver's log, among others.
func asked(name string, tier int, names func(*scene) []string) trick {
	return file(name, tier, "log", func(s *scene) []byte {
		form := s.IntN(3)
		var out strings.Builder
		for i, n := range s.amidNames(names(s)) {
			switch form {
			case 0:
				fmt.Fprintf(&out, "01-Mar-2026 00:00:%02d.%03d client @0x7f 10.0.0.2#%d (%s): query: %s IN A + (10.0.0.1)\n", i%60, s.IntN(1000), 30000+s.IntN(30000), n, n)
			case 1:
				fmt.Fprintf(&out, "Mar  1 00:00:%02d dnsmasq[88]: query[A] %s from 10.0.0.2\n", i%60, n)
			default:
				fmt.Fprintf(&out, "00:00:%02d.%06d IP 10.0.0.2.%d > 10.0.0.1.53: %d+ A? %s. (%d)\n", i%60, s.IntN(1e6), 30000+s.IntN(30000), s.IntN(65536), n, len(n)+18)
			}
		}
		return []byte(out.String())
	})
}

// queried are the same in a capture.
func queried(name string, tier int, names func(*scene) []string) trick {
	return file(name, tier, "pcap", func(s *scene) []byte {
		var out []packet
		for _, n := range s.amidNames(names(s)) {
			out = append(out, s.query(must1(s.question(n+".", dns.TypeA).Pack())))
		}
		return capture(out)
	})
}

// question takes its id from the seed.
func (s *scene) question(name string, kind uint16) *dns.Msg {
	m := new(dns.Msg).SetQuestion(name, kind)
	m.Id = uint16(s.Uint32())
	return m
}

func (s *scene) query(payload []byte) packet {
	p := s.packet(17, 53, payload)
	p.dst = [4]byte{10, 0, 0, 1}
	return p
}

func (s *scene) amidNames(names []string) []string {
	var out []string
	for _, n := range names {
		for range s.IntN(3) {
			out = append(out, s.pick("www.", "cdn.", "api.", "ntp.")+s.word()+".org")
		}
		out = append(out, n)
	}
	return append(out, "www."+s.word()+".net")
}

func one(f func(*scene) string) func(*scene) []string {
	return func(s *scene) []string { return []string{f(s) + zone} }
}

// several makes a name for each piece of n characters.
func several(text func(*scene) string, n int, label func(i int, piece string) string) func(*scene) []string {
	return func(s *scene) []string {
		var out []string
		for i, c := range chunks(text(s), n) {
			out = append(out, label(i, c)+zone)
		}
		return out
	}
}

func anyOrder(names func(*scene) []string) func(*scene) []string {
	return func(s *scene) []string {
		out := names(s)
		s.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out
	}
}

func labels(n int, f func([]byte) string) func([]byte) string { return wrapped(n, ".", f) }

func domainNames() []trick {
	inHex := func(s *scene) string { return s.hex }
	in32 := func(s *scene) string { return strings.ToLower(b32With(b32Set)(s.raw)) }
	in32Digits := func(s *scene) string { return strings.ToLower(b32With(b32Set)([]byte(s.hex))) }
	bare := func(_ int, c string) string { return c }
	after := func(i int, c string) string { return fmt.Sprintf("%s.%d", c, i) }
	before := func(i int, c string) string { return fmt.Sprintf("%d.%s", i, c) }
	dash := func(i int, c string) string { return fmt.Sprintf("%02d-%s", i, c) }
	return append([]trick{
		asked("label-hex", 1, one(inHex)),
		asked("label-base32", 1, one(in32)),
		asked("label-base32-upper", 1, one(func(s *scene) string { return strings.ToUpper(in32(s)) })),
		asked("label-base32-digits", 1, one(in32Digits)),
		asked("label-base64url", 2, one(func(s *scene) string { return b64url(s.raw) })),
		asked("label-base36", 2, one(func(s *scene) string { return numeral("0123456789abcdefghijklmnopqrstuvwxyz")(s.raw) })),
		asked("label-iodine-32", 2, one(func(s *scene) string { return "paaa" + b32With(iodineSet)(s.raw) })),
		asked("label-iodine-64", 2, one(func(s *scene) string {
			return b64With("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789+")(s.raw)
		})),
		asked("label-dnscat", 2, one(func(s *scene) string { return s.noiseHex(18) + s.hex[:14] + "." + s.hex[14:] + s.noiseHex(8) })),
		asked("label-gzip-base64-star", 3, one(func(s *scene) string {
			return labels(60, then(func(b []byte) string { return b64(gz(b)) }, mapped("+/=", "*_-")))([]byte("k=" + s.hex))
		})),
		asked("label-words", 3, one(func(s *scene) string {
			return strings.Join(chunks(substituted("ant bee cat dog eel fox gnu hen ibi jay koi lox mew nit owl pug", "-")(s.raw), 56), ".")
		})),
		asked("label-nato", 3, one(func(s *scene) string { return substituted(strings.ToLower(natoSet), ".")(s.raw) })),
		asked("label-idn", 2, one(func(s *scene) string { return "xn--" + s.hex + "-ud5f" })),
		asked("labels-4", 2, one(func(s *scene) string { return labels(4, as)([]byte(s.hex)) })),
		asked("labels-1", 2, one(func(s *scene) string { return labels(1, as)([]byte(s.hex)) })),
		asked("labels-uneven", 3, one(func(s *scene) string { return s.hex[:5] + "." + s.hex[5:16] + "." + s.hex[16:19] + "." + s.hex[19:] })),
		asked("labels-base32", 2, one(func(s *scene) string { return labels(10, as)([]byte(in32(s))) })),
		asked("labels-decimal", 2, one(func(s *scene) string { return each("%d", ".")(s.raw) })),
		asked("labels-reversed", 3, one(func(s *scene) string {
			c := chunks(s.hex, 8)
			return c[3] + "." + c[2] + "." + c[1] + "." + c[0]
		})),
		asked("labels-text-base32", 2, one(func(s *scene) string {
			return labels(50, then(b32With(b32Set), lower))([]byte("user=agent;token=" + s.hex + ";end"))
		})),
		asked("labels-text-hex", 2, one(func(s *scene) string { return labels(40, each("%02x", ""))([]byte("t=" + s.hex)) })),
		asked("names-hex-8", 3, several(inHex, 8, bare)), asked("names-hex-4", 3, several(inHex, 4, bare)),
		asked("names-hex-2", 3, several(inHex, 2, bare)), asked("names-hex-1", 3, several(inHex, 1, bare)),
		asked("names-base32", 3, several(in32, 6, bare)), asked("names-base32-digits", 3, several(in32Digits, 13, bare)),
		asked("names-number-after", 3, anyOrder(several(inHex, 4, after))), asked("names-number-before", 3, anyOrder(several(inHex, 4, before))),
		asked("names-number-dash", 3, anyOrder(several(inHex, 2, dash))), asked("names-number-base32", 3, anyOrder(several(in32, 5, dash))),
		asked("names-number-digits", 3, anyOrder(several(inHex, 1, after))),
		asked("names-session", 3, several(inHex, 8, func(i int, c string) string { return fmt.Sprintf("%s.%d.s7f2", c, i) })),
		asked("names-last-first", 3, func(s *scene) []string {
			n := several(inHex, 8, bare)(s)
			return []string{n[3], n[2], n[1], n[0]}
		}),
		asked("names-lengths", 4, func(s *scene) []string {
			var out []string
			for _, n := range nibbles(s.raw) {
				out = append(out, s.noiseText(int(n)+1)+zone)
			}
			return out
		}),
		asked("name-case", 4, func(s *scene) []string {
			var out []string
			for _, b := range chunks(string(splitBits(s.raw)), 16) {
				name := []byte("updatecheckhosts")
				for i := range b {
					name[i] -= 32 * b[i]
				}
				out = append(out, string(name)+zone)
			}
			return out
		}),
		queried("capture-hex", 1, one(inHex)), queried("capture-base32", 1, one(in32)), queried("capture-labels-4", 2, one(func(s *scene) string { return labels(4, as)([]byte(s.hex)) })),
		queried("capture-base32-labels", 2, one(func(s *scene) string { return labels(11, as)([]byte(in32Digits(s))) })),
		queried("capture-names-8", 3, several(inHex, 8, bare)), queried("capture-names-4", 3, several(inHex, 4, bare)),
		queried("capture-names-1", 3, several(inHex, 1, bare)), queried("capture-names-base32", 3, several(in32, 5, bare)),
		queried("capture-numbered", 3, anyOrder(several(inHex, 4, after))), queried("capture-numbered-base32", 3, anyOrder(several(in32Digits, 10, dash))),
		queried("capture-iodine", 2, one(func(s *scene) string { return "0eaba82m2hbt" + b32With(iodineSet)(s.raw) })),
		queried("capture-dnscat", 2, one(func(s *scene) string { return "dnscat." + s.noiseHex(18) + s.hex })),
		queried("capture-gzip-base32", 3, func(s *scene) []string {
			return several(func(s *scene) string { return strings.ToLower(b32With(b32Set)(gz([]byte("k " + s.hex)))) }, 50, before)(s)
		}),
		asked("half-label", 1, one(func(s *scene) string { return s.hex[:16] })).as(Partial),
		asked("half-base32", 1, one(func(s *scene) string { return strings.ToLower(b32With(b32Set)(s.raw[:10])) })).as(Partial),
		asked("half-names", 3, func(s *scene) []string { return several(inHex, 8, bare)(s)[:2] }).as(Partial),
	}, answers()...)
}

// answered is a capture of answers with these records, each a message of its own where apart.
func answered(name string, tier int, apart bool, records func(*scene) []string) trick {
	return file(name, tier, "pcap", func(s *scene) []byte {
		var out []packet
		m := new(dns.Msg).SetQuestion("a.example.com.", dns.TypeTXT)
		for _, r := range records(s) {
			m.Answer = append(m.Answer, must1(dns.NewRR(r)))
			if apart {
				out, m = append(out, s.reply(m)), new(dns.Msg).SetQuestion("a.example.com.", dns.TypeTXT)
			}
		}
		if !apart {
			out = append(out, s.reply(m))
		}
		return capture(out)
	})
}

func (s *scene) reply(m *dns.Msg) packet {
	m.Response, m.Id, m.Compress = true, uint16(s.Uint32()), true
	p := s.query(must1(m.Pack()))
	p.sport, p.dport, p.src, p.dst = 53, p.sport, p.dst, p.src
	return p
}

func perBytes(n int, format string, value func([]byte) any) func(*scene) []string {
	return func(s *scene) []string {
		var out []string
		for _, c := range chunks(string(s.raw), n) {
			out = append(out, fmt.Sprintf(format, value([]byte(c))))
		}
		return out
	}
}

func answers() []trick {
	ip := func(b []byte) any { return net.IP(b).String() }
	short := func(b []byte) any { return binary.BigEndian.Uint16(b) }
	single := func(format string, v func(*scene) any) func(*scene) []string {
		return func(s *scene) []string { return []string{fmt.Sprintf(format, v(s))} }
	}
	message := func(s *scene) []byte {
		return must1(s.question(s.hex+zone+".", dns.TypeA).Pack())
	}
	return []trick{
		answered("txt", 1, false, single(`a.example.com. 60 IN TXT "v=%s"`, func(s *scene) any { return s.hex })),
		answered("txt-base64", 1, false, single(`a.example.com. 60 IN TXT "%s"`, func(s *scene) any { return b64(s.raw) })),
		answered("txt-strings", 3, false, func(s *scene) []string {
			return []string{`a.example.com. 60 IN TXT "` + strings.Join(chunks(s.hex, 8), `" "`) + `"`}
		}),
		answered("txt-answers", 3, true, func(s *scene) []string {
			var out []string
			for _, c := range chunks(s.hex, 4) {
				out = append(out, `a.example.com. 60 IN TXT "`+c+`"`)
			}
			return out
		}),
		answered("aaaa", 1, false, perBytes(16, "a.example.com. 60 IN AAAA %s", ip)),
		answered("a", 2, false, perBytes(4, "a.example.com. 60 IN A %s", ip)),
		answered("a-apart", 3, true, perBytes(4, "a.example.com. 60 IN A %s", ip)),
		answered("a-last-byte", 4, true, perBytes(1, "a.example.com. 60 IN A 10.1.1.%d", func(b []byte) any { return b[0] })),
		answered("mx", 3, true, perBytes(2, "a.example.com. 60 IN MX %d mail.example.com.", short)),
		answered("srv", 3, true, perBytes(2, "a.example.com. 60 IN SRV 1 1 %d h.example.com.", short)),
		answered("ttl", 4, true, perBytes(2, "a.example.com. %d IN A 10.0.0.9", short)),
		answered("cname", 2, false, single("a.example.com. 60 IN CNAME %s.example.com.", func(s *scene) any { return s.hex })),
		answered("null-like", 2, false, single(`a.example.com. 60 IN TYPE10 \# 16 %s`, func(s *scene) any { return s.hex })),
		answered("sshfp", 2, false, single("a.example.com. 60 IN SSHFP 4 2 %s", func(s *scene) any { return s.hex + s.noiseHex(32) })),
		answered("caa", 2, false, single(`a.example.com. 60 IN CAA 0 issue "%s"`, func(s *scene) any { return b64url(s.raw) })),
		asked("reverse-ipv6", 2, func(s *scene) []string { return []string{reversed(strings.Join(chunks(s.hex, 1), ".")) + ".ip6.arpa"} }),
		asked("reverse-ipv4", 3, func(s *scene) []string {
			var out []string
			for i := 0; i < 16; i += 4 {
				out = append(out, each("%d", ".")(reversedBytes(s.raw[i:i+4]))+".in-addr.arpa")
			}
			return out
		}),
		queried("capture-reverse-ipv6", 2, func(s *scene) []string { return []string{reversed(strings.Join(chunks(s.hex, 1), ".")) + ".ip6.arpa"} }),
		file("over-https", 2, "txt", func(s *scene) []byte {
			return []byte("GET /dns-query?dns=" + b64url(message(s)) + " HTTP/1.1\r\nHost: dns.example\r\n\r\n")
		}),
		file("over-https-json", 1, "txt", func(s *scene) []byte {
			return []byte("GET /resolve?name=" + s.hex + zone + "&type=A HTTP/1.1\r\nHost: dns.example\r\n\r\n")
		}),
		file("over-tcp", 1, "pcap", func(s *scene) []byte {
			m := message(s)
			return capture(s.flow(53, append(binary.BigEndian.AppendUint16(nil, uint16(len(m))), m...), 20))
		}),
		file("ids", 4, "pcap", func(s *scene) []byte {
			var out []packet
			for i := 0; i < 16; i += 2 {
				m := s.question("www.example.com.", dns.TypeA)
				m.Id = binary.BigEndian.Uint16(s.raw[i:])
				out = append(out, s.query(must1(m.Pack())))
			}
			return capture(out)
		}),
		file("types", 4, "pcap", func(s *scene) []byte {
			kinds := []uint16{1, 2, 5, 6, 12, 13, 15, 16, 17, 28, 29, 33, 35, 43, 48, 257}
			var out []packet
			for _, n := range nibbles(s.raw) {
				out = append(out, s.query(must1(s.question("www.example.com.", kinds[n]).Pack())))
			}
			return capture(out)
		}),
		file("option", 2, "pcap", func(s *scene) []byte {
			m := s.question("www.example.com.", dns.TypeA).SetEdns0(1232, false)
			m.Extra[0].(*dns.OPT).Option = []dns.EDNS0{&dns.EDNS0_LOCAL{Code: 65001, Data: s.raw}}
			return capture([]packet{s.query(must1(m.Pack()))})
		}),
		file("zone-file", 1, "zone", func(s *scene) []byte {
			return []byte("$ORIGIN example.com.\n@ IN TXT \"k=" + s.hex + "\"\nwww IN A 10.0.0.1\n")
		}),
		file("zone-file-addresses", 3, "zone", func(s *scene) []byte {
			return []byte("$ORIGIN example.com.\n" + strings.Join(perBytes(4, "h IN A %s", ip)(s), "\n") + "\n")
		}),
		file("hosts-file", 3, "hosts", func(s *scene) []byte { return []byte(strings.Join(perBytes(4, "%s host.local", ip)(s), "\n") + "\n") }),
	}
}
