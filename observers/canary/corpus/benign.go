package corpus

import (
	"archive/zip"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"os"
	"strings"

	"github.com/miekg/dns"
)

// Benign are files in which no canary of this run is hidden: noise of every
// kind that holds much chance, and the canaries of other runs in every dress
// that All knows.
func Benign(seed uint64) []Sample {
	var all []Sample
	vocabulary := strings.Fields(words)
	for _, k := range kinds() {
		s := &scene{Rand: source(seed, "benign/"+k.name), words: vocabulary}
		s.raw = s.noise(16)
		s.hex = hex.EncodeToString(s.raw)
		all = append(all, Sample{Technique: "benign/" + k.name, Group: "benign", Name: k.name + ".bin", Bytes: k.make(s)})
	}
	for i, other := range All(seed+1, hex.EncodeToString((&scene{Rand: source(seed, "benign/other")}).noise(16))) {
		if i%9 == 0 {
			all = append(all, Sample{Technique: "benign/other/" + other.Technique, Group: "benign", Name: other.Name, Bytes: other.Bytes})
		}
	}
	return all
}

type kind struct {
	name string
	make func(*scene) []byte
}

// many writes a line n times.
func many(name string, n int, line func(s *scene, i int) string) kind {
	return kind{name, func(s *scene) []byte {
		var out strings.Builder
		for i := range n {
			out.WriteString(line(s, i) + "\n")
		}
		return []byte(out.String())
	}}
}

func (s *scene) uuid() string { return uuid([]byte(s.noiseHex(32))) }

func kinds() []kind {
	return append(append([]kind{
		many("md5", 60, func(s *scene, _ int) string { return fmt.Sprintf("%x  %s.txt", md5.Sum(s.noise(9)), s.word()) }),
		many("sha1", 60, func(s *scene, _ int) string { return fmt.Sprintf("%x  %s.txt", sha1.Sum(s.noise(9)), s.word()) }),
		many("sha256", 60, func(s *scene, _ int) string { return fmt.Sprintf("%x  %s.txt", sha256.Sum256(s.noise(9)), s.word()) }),
		many("sha512", 30, func(s *scene, _ int) string { return fmt.Sprintf("%x  %s.txt", sha512.Sum512(s.noise(9)), s.word()) }),
		many("sha256-base64", 60, func(s *scene, _ int) string { return s.word() + " h1:" + b64(s.noise(32)) }),
		many("uuids", 80, func(s *scene, _ int) string { return s.uuid() }),
		many("uuids-log", 40, func(s *scene, i int) string { return s.stamp(i) + " INFO request " + s.uuid() + " " + s.word() }),
		many("trace-ids", 40, func(s *scene, i int) string {
			return "traceparent: 00-" + s.noiseHex(32) + "-" + s.noiseHex(16) + "-01"
		}),
		many("mac-addresses", 60, func(s *scene, _ int) string { return each("%02x", ":")(s.noise(6)) }),
		many("ipv6", 60, func(s *scene, _ int) string { return grouped(2, false, "%x", ":")(s.noise(16)) }),
		many("ipv4", 90, func(s *scene, _ int) string { return each("%d", ".")(s.noise(4)) }),
		many("ulids", 60, func(s *scene, _ int) string { return ulid(crockfordSet)(s.noise(16)) }),
		many("bitcoin-addresses", 50, func(s *scene, _ int) string { return "1" + numeral(bitcoinSet)(s.noise(24)) }),
		many("commits", 30, func(s *scene, _ int) string { return "commit " + s.noiseHex(40) + "\n    " + s.prose(1) + "\n" }),
		many("jwts", 10, func(s *scene, _ int) string { return jwt(s, `{"sub":"`+s.word()+`","jti":"`+s.uuid()+`"}`) }),
		many("passwords", 60, func(s *scene, _ int) string { return b85(z85Set)(s.noise(16)) }),
		many("crypt", 30, func(s *scene, _ int) string { return s.word() + ":$6$" + b64With(cryptSet)(s.noise(64)) + ":19000:0" }),
		many("authorized-keys", 10, func(s *scene, _ int) string { return "ssh-ed25519 " + b64(s.noise(51)) + " " + s.word() + "@h" }),
		many("json-log", 40, func(s *scene, _ int) string { return strings.TrimSpace(s.record(s.prose(1))) }),
		many("access-log", 60, func(s *scene, i int) string {
			return fmt.Sprintf(`10.0.0.%d - - [01/Mar/2026:00:00:%02d +0000] "GET /%s/%s?t=%d HTTP/1.1" 200 %d`, s.byte(), i%60, s.word(), s.noiseHex(12), s.Uint32(), s.IntN(99999))
		}),
		many("query-log", 60, func(s *scene, i int) string {
			return fmt.Sprintf("query: %s.%s.example.com IN A", s.noiseHex(8), s.word())
		}),
		many("query-log-tracking", 40, func(s *scene, i int) string {
			return fmt.Sprintf("query: %s.%d.track.example.com IN TXT", strings.ToLower(b32With(b32Set)(s.noise(15))), i)
		}),
		many("csv-integers", 120, func(s *scene, i int) string {
			return fmt.Sprintf("%d,%d,%d,%d", i, s.IntN(256), s.IntN(1000), s.Uint32())
		}),
		many("csv-floats", 120, func(s *scene, i int) string {
			return fmt.Sprintf("%d,%.4f,%.6f,%e", i, s.Float64(), s.NormFloat64(), s.ExpFloat64())
		}),
		many("csv-bytes", 200, func(s *scene, i int) string { return fmt.Sprintf("%d;%d", i, s.byte()) }),
		many("csv-hex", 100, func(s *scene, i int) string { return fmt.Sprintf("%d,%s,%s", i, s.noiseHex(2), s.noiseHex(4)) }),
		many("single-hex-lines", 300, func(s *scene, i int) string { return s.noiseHex(2)[:1] }),
		many("bits-lines", 60, func(s *scene, _ int) string { return each("%08b", " ")(s.noise(8)) }),
		many("decimal-lists", 40, func(s *scene, _ int) string { return "[" + each("%d", ", ")(s.noise(24)) + "]" }),
		many("big-numbers", 40, func(s *scene, _ int) string { return big16(10, false)(s.noise(16)) }),
		many("sequence-shuffled", 80, func(s *scene, i int) string { return fmt.Sprintf("seq=%d data=%s", (i*37)%80, s.noiseHex(8)) }),
		many("json-arrays", 30, func(s *scene, i int) string {
			return `{"v":["` + strings.Join(chunks(s.noiseHex(32), 4), `","`) + `"]}`
		}),
		many("statistics", 50, func(s *scene, i int) string { return fmt.Sprintf(`http_requests{shard="%d"} %d`, i, s.IntN(1e6)) }),
		many("coordinates", 60, func(s *scene, _ int) string { return fmt.Sprintf("[%.6f, %.6f],", 40+s.Float64(), 8+s.Float64()) }),
		many("go-source", 12, func(s *scene, _ int) string { return string(s.inSource(b64(s.noise(20)))) }),
		many("minified", 20, func(s *scene, _ int) string {
			return fmt.Sprintf("function %c(t,e){return t[%d]^e<<%d}var %s=0x%x;", 'a'+s.IntN(26), s.byte(), s.IntN(32), s.word(), s.Uint32())
		}),
		many("emoji-chat", 40, func(s *scene, _ int) string {
			return s.word() + ": " + s.pick("😀", "😂👍🏽", "🙏🏻🙏🏿", "🎉🎉🎉", "👨‍👩‍👧", "❤️🔥", "🇩🇪🇫🇷") + " " + s.prose(1) + s.pick("😎", "", "🤔", "👍🏿")
		}),
		many("multilingual", 30, func(s *scene, _ int) string {
			return s.pick("Привет, как дела сегодня вечером?", "今日はとても良い天気ですね。", "مرحبا كيف حالك اليوم", "नमस्ते आप कैसे हैं", "Γειά σου κόσμε", "안녕하세요 세계", "שלום עולם מה שלומך", "สวัสดีชาวโลก", "Größe, Übermut und Öl") + " " + s.word()
		}),
		many("emoji-only", 30, func(s *scene, _ int) string {
			return s.pick("😀", "😂", "😍", "🤔") + s.pick("😎", "😭", "🥳", "😡") + s.pick("👍", "🙏", "🔥", "🎉")
		}),
		many("trailing-blanks", 60, func(s *scene, _ int) string { return s.word() + strings.Repeat(" ", s.IntN(4)) + s.pick("", "\t") }),
		many("dna", 30, func(s *scene, _ int) string {
			return mapped("0123", "ACGT")([]byte(each("%d", "")(pairsOfBits(s.noise(15)))))
		}),
		many("morse", 20, func(s *scene, _ int) string { return substituted(morseSet, " ")(s.noise(16)) }),
		many("nato", 20, func(s *scene, _ int) string { return substituted(natoSet, " ")(s.noise(16)) }),
		many("sixteen-words", 20, func(s *scene, _ int) string {
			return substituted("ant bear cat dog eel fox goat hen ibis jay koala lynx mole newt owl pig", " ")(s.noise(16))
		}),
		many("percent", 20, func(s *scene, _ int) string { return each("%%%02X", "")(s.noise(24)) }),
		many("entities", 20, func(s *scene, _ int) string { return each("&#%d;", "")(s.noise(24)) }),
		many("escapes", 20, func(s *scene, _ int) string { return each(`\x%02x`, "")(s.noise(24)) }),
		many("base64-lines", 40, func(s *scene, _ int) string { return b64(s.noise(54)) }),
		many("base32-lines", 40, func(s *scene, _ int) string { return b32(s.noise(40)) }),
		many("ascii85-lines", 40, func(s *scene, _ int) string { return a85(s.noise(44)) }),
		many("same-line", 100, func(*scene, int) string { return "0000000000000000 00000000 deadbeefdeadbeefdeadbeefdeadbeef" }),
		many("counting", 200, func(_ *scene, i int) string { return fmt.Sprintf("%032x %08d", i, i) }),
		many("colours", 80, func(s *scene, _ int) string { return fmt.Sprintf("  --c: #%06x;", s.Uint32()&0xffffff) }),
		many("timestamps", 80, func(s *scene, _ int) string { return s.clock().Format("2006-01-02T15:04:05.000000000Z") }),
		many("listing", 60, func(s *scene, i int) string {
			return fmt.Sprintf("-rw-r--r-- 1 root root %7d Mar  1 00:%02d %s_%s", s.IntN(1e6), i%60, s.word(), s.noiseHex(6))
		}),
	}, noises()...), programs()...)
}

// noises are whole files.
func noises() []kind {
	return []kind{
		{"random", func(s *scene) []byte { return s.noise(16 << 10) }},
		{"random-base64", func(s *scene) []byte { return []byte(b64(s.noise(9000))) }},
		{"random-hex", func(s *scene) []byte { return []byte(s.noiseHex(12000)) }},
		{"random-digits", func(s *scene) []byte { return []byte(numeral("0123456789")(s.noise(1500))) }},
		{"random-bits", func(s *scene) []byte { return []byte(each("%08b", "")(s.noise(700))) }},
		{"random-nibbles", func(s *scene) []byte { return nibbles(s.noise(4000)) }},
		{"random-zero-width", func(s *scene) []byte {
			return []byte(s.prose(1) + mapped("01", "\u200b\u200c")([]byte(each("%08b", "")(s.noise(200)))))
		}},
		{"zeros", func(*scene) []byte { return make([]byte, 16<<10) }},
		{"ramp", func(*scene) []byte { return altered(make([]byte, 8192), func(i int, _ byte) byte { return byte(i) }) }},
		{"prose", func(s *scene) []byte { return []byte(s.prose(120)) }},
		{"prose-utf-16", func(s *scene) []byte { return spread(s.prose(50), 2, little) }},
		{"hexdump", func(s *scene) []byte { return []byte(hex.Dump(s.noise(2000))) }},
		{"xxd", func(s *scene) []byte { return []byte(xxd([]byte(s.prose(20)))) }},
		{"od", func(s *scene) []byte { return dumped(s.noise(1500), each("%03o", " "), "%07o ") }},
		{"gzip", func(s *scene) []byte { return gz([]byte(s.prose(100))) }},
		{"gzip-random", func(s *scene) []byte { return gz(s.noise(8000)) }},
		{"xz", func(s *scene) []byte { return xzed([]byte(s.prose(100))) }},
		{"zstd", func(s *scene) []byte { return zst([]byte(s.noiseHex(9000))) }},
		{"tar-gzip", func(s *scene) []byte { return gz(tarred(s.others(12))) }},
		{"zip", func(s *scene) []byte { return zipped(zip.Deflate, s.noiseHex(32), s.others(12)) }},
		{"docx", func(s *scene) []byte {
			return zipped(zip.Deflate, "", []entry{{name: "word/document.xml", body: []byte("<w:t>" + s.prose(30) + "</w:t>")}})
		}},
		{"png", func(s *scene) []byte { return s.png(64, 64) }},
		{"png-noise", func(s *scene) []byte { return pixels(s, s.noise(48)) }},
		{"gif", func(s *scene) []byte { return s.gif() }},
		{"gif-tail", func(s *scene) []byte { return append(s.gif(), s.noise(40)...) }},
		{"jpeg", func(s *scene) []byte { return jpegWith(s, 0xfe, []byte("made with "+s.word())) }},
		{"wav", func(s *scene) []byte { return wav(s.noise(9000), nil) }},
		{"pdf", func(s *scene) []byte {
			return pdfStream(s, "/FlateDecode", zl([]byte("BT ("+s.prose(20)+") Tj ET /ID [<"+s.noiseHex(32)+">]")))
		}},
		{"certificate", func(s *scene) []byte { return s.certificate(func(*x509.Certificate) {}) }},
		{"certificates-pem", func(s *scene) []byte {
			var out []byte
			for range 5 {
				out = append(out, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.certificate(func(c *x509.Certificate) { c.SubjectKeyId = s.noise(20) })})...)
			}
			return out
		}},
		{"private-key", func(s *scene) []byte {
			return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: s.noise(1200)})
		}},
		{"mail", func(s *scene) []byte { return mail(s, b64lines(s.noise(3000))) }},
		{"sqlite", func(s *scene) []byte {
			return sqlite("x", 1, func(s *scene) []string {
				var out []string
				for i := range 60 {
					out = append(out, insert(i+1, fmt.Sprintf("x'%x'", s.noise(16))))
				}
				return out
			}).hide(s)
		}},
		{"pcap", func(s *scene) []byte {
			var out []packet
			for range 40 {
				out = append(out, s.packet(17, 9999, s.noise(20+s.IntN(60))), s.packet(6, 443, s.noise(100)))
			}
			return capture(out)
		}},
		{"pcap-flow", func(s *scene) []byte { return capture(s.amidTraffic(s.flow(80, []byte(s.prose(60)), 200))) }},
		{"pcap-bytes", func(s *scene) []byte { return capture(s.flow(23, []byte(s.noiseHex(120)), 1)) }},
		{"pcap-dns", func(s *scene) []byte {
			var out []packet
			for range 40 {
				m := s.question(s.noiseHex(16)+"."+s.word()+".com.", dns.TypeAAAA)
				out = append(out, s.query(must1(m.Pack())))
			}
			return capture(out)
		}},
		{"docker-stream", func(s *scene) []byte {
			var out []byte
			for range 40 {
				out = append(out, framed([]byte(s.record(s.prose(1))))...)
			}
			return out
		}},
		{"protobuf", func(s *scene) []byte {
			var out []byte
			for range 40 {
				out = append(out, field(1, append(field(1, s.noise(16)), field(2, []byte(s.word()))...))...)
			}
			return out
		}},
		{"git-pack", func(s *scene) []byte { s.hex = s.word(); return gitPack(s) }},
	}
}

// programs are pieces of the test's own executable.
func programs() []kind {
	var out []kind
	for i := range 4 {
		out = append(out, kind{fmt.Sprintf("program-%d", i), func(s *scene) []byte { return ownProgram(i) }})
	}
	return out
}

func ownProgram(part int) []byte {
	f := must1(os.Open(os.Args[0]))
	defer f.Close()
	size := must1(f.Stat()).Size()
	b := make([]byte, 16<<10)
	must1(f.ReadAt(b, size/5*int64(part)))
	return b
}
