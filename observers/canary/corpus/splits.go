package corpus

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// lines makes a line for each piece of n digits.
func lines(name string, tier, n int, line func(s *scene, i int, piece string) string) trick {
	return file(name, tier, "log", func(s *scene) []byte { return []byte(strings.Join(s.lines(n, line), "\n") + "\n") })
}

func (s *scene) lines(n int, line func(s *scene, i int, piece string) string) []string {
	var out []string
	for i, c := range chunks(s.hex, n) {
		out = append(out, line(s, i, c))
	}
	return out
}

// shuffledLines are in any order, so that a line must say which it is.
func shuffledLines(name string, n int, line func(s *scene, i int, piece string) string) trick {
	return file(name, 3, "log", func(s *scene) []byte {
		out := s.lines(n, line)
		s.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return []byte(strings.Join(out, "\n") + "\n")
	})
}

// amongLines puts lines of noise between.
func amongLines(name string, n int, line func(s *scene, i int, piece string) string, noise func(s *scene) string) trick {
	return file(name, 3, "log", func(s *scene) []byte {
		var out []string
		for _, l := range s.lines(n, line) {
			for range s.IntN(3) {
				out = append(out, noise(s))
			}
			out = append(out, l)
		}
		return []byte(strings.Join(out, "\n") + "\n")
	})
}

func (s *scene) stamp(i int) string {
	return time.Unix(1772000000+int64(7*i), 0).UTC().Format(time.RFC3339)
}

func splits() []trick {
	logged := func(s *scene, i int, c string) string {
		return fmt.Sprintf("%s INFO worker: chunk=%s done", s.stamp(i), c)
	}
	numbered := func(s *scene, i int, c string) string {
		return fmt.Sprintf("%s INFO seq=%d data=%s", s.clock().Format(time.RFC3339), i, c)
	}
	object := func(s *scene, i int, c string) string {
		return fmt.Sprintf(`{"id":%d,"v":"%s","n":"%s"}`, i, c, s.word())
	}
	ordinary := func(s *scene) string {
		return s.stamp(s.IntN(99)) + " DEBUG gc: " + strings.ReplaceAll(s.prose(1), "\n", " ")
	}
	return []trick{
		lines("lines-8", 3, 8, logged), lines("lines-4", 3, 4, logged), lines("lines-2", 3, 2, logged), lines("lines-1", 3, 1, logged),
		lines("bare-lines-4", 2, 4, func(_ *scene, _ int, c string) string { return c }),
		lines("bare-lines-1", 2, 1, func(_ *scene, _ int, c string) string { return c }),
		lines("json-lines-4", 3, 4, object), lines("json-lines-1", 3, 1, object),
		lines("json-lines-key", 3, 4, func(_ *scene, i int, c string) string { return fmt.Sprintf(`{"p%d":"%s"}`, i, c) }),
		lines("json-lines-nested", 3, 4, func(s *scene, i int, c string) string { return fmt.Sprintf(`{"a":{"b":[%d,{"c":"%s"}]}}`, i, c) }),
		lines("indexed", 3, 4, func(_ *scene, i int, c string) string { return fmt.Sprintf("PART_%d=%s", i+1, c) }),
		lines("exports", 3, 8, func(_ *scene, i int, c string) string { return fmt.Sprintf("export K%c=%s", 'A'+i, c) }),
		lines("column-csv", 3, 2, func(s *scene, i int, c string) string { return fmt.Sprintf("%d,%s,%s,%d", i, s.word(), c, s.IntN(999)) }),
		lines("column-csv-decimal", 3, 2, func(s *scene, i int, c string) string {
			return fmt.Sprintf("%d,%s,%d,%.2f", i, s.word(), s.raw[i], s.Float64())
		}),
		lines("column-csv-codes", 3, 1, func(s *scene, i int, c string) string { return fmt.Sprintf("%d;%d;%s", 1000+i, c[0], s.word()) }),
		lines("column-tabs", 3, 1, func(s *scene, i int, c string) string { return fmt.Sprintf("%s\t%s\t%d", s.word(), c, s.IntN(9)) }),
		lines("column-fixed", 3, 1, func(s *scene, _ int, c string) string { return s.noiseText(17) + c + s.noiseText(22) }),
		lines("acrostic", 3, 1, func(s *scene, _ int, c string) string { return c + " " + strings.ReplaceAll(s.prose(1), "\n", " ") }),
		lines("last-character", 3, 1, func(s *scene, _ int, c string) string { return strings.ReplaceAll(s.prose(1), "\n", " ") + c }),
		lines("first-two", 3, 2, func(s *scene, _ int, c string) string { return c + s.noiseHex(38) + " " + s.word() }),
		lines("last-two", 3, 2, func(s *scene, _ int, c string) string { return s.word() + " " + s.noiseHex(10) + c }),
		lines("uuid-tails", 3, 4, func(s *scene, _ int, c string) string {
			return fmt.Sprintf("%s-%s-4%s-a%s-%s%s ok", s.noiseHex(8), s.noiseHex(4), s.noiseHex(3), s.noiseHex(3), s.noiseHex(8), c)
		}),
		lines("commit-heads", 3, 4, func(s *scene, _ int, c string) string {
			return "commit " + c + s.noiseHex(36) + "\n    " + strings.ReplaceAll(s.prose(1), "\n", " ")
		}),
		lines("listing", 3, 4, func(s *scene, i int, c string) string {
			return fmt.Sprintf("-rw-r--r-- 1 root root %5d Mar  1 00:%02d tmp_%s.dat", s.IntN(9999), i, c)
		}),
		lines("listing-sizes", 4, 2, func(s *scene, i int, _ string) string {
			return fmt.Sprintf("-rw-r--r-- 1 root root %5d Mar  1 00:%02d %s%d.dat", s.raw[i], i, s.word(), i)
		}),
		lines("listing-sizes-codes", 4, 1, func(s *scene, i int, c string) string {
			return fmt.Sprintf("%d ./%s%02d", c[0], s.word(), i)
		}),
		lines("access-log-path", 3, 4, func(s *scene, i int, c string) string {
			return fmt.Sprintf(`10.0.0.7 - - [01/Mar/2026:00:00:%02d +0000] "GET /img/%s.png HTTP/1.1" 200 %d`, i, c, s.IntN(9000))
		}),
		lines("access-log-query", 3, 2, func(s *scene, i int, c string) string {
			return fmt.Sprintf(`10.0.0.7 - - [01/Mar/2026:00:00:%02d +0000] "GET /a?q=%s&t=%d HTTP/1.1" 200 5`, i, c, s.IntN(9000))
		}),
		lines("access-log-bytes", 4, 2, func(s *scene, i int, _ string) string {
			return fmt.Sprintf(`10.0.0.7 - - [01/Mar/2026:00:00:%02d +0000] "GET /a HTTP/1.1" 200 %d`, i, 1000+int(s.raw[i]))
		}),
		lines("access-log-address", 4, 2, func(s *scene, i int, _ string) string {
			return fmt.Sprintf(`10.0.0.%d - - [01/Mar/2026:00:00:%02d +0000] "GET /a HTTP/1.1" 200 5`, s.raw[i], i)
		}),
		lines("milliseconds", 4, 2, func(s *scene, i int, _ string) string {
			return fmt.Sprintf("2026-03-01T00:00:%02d.%03dZ INFO tick", i, s.raw[i])
		}),
		lines("metrics", 3, 2, func(s *scene, i int, _ string) string {
			return fmt.Sprintf(`app_queue_depth{shard="%d"} %d`, i, s.raw[i])
		}),
		lines("constants", 3, 4, func(_ *scene, i int, c string) string { return fmt.Sprintf(`const part%d = "%s"`, i, c) }),
		lines("appends", 3, 2, func(_ *scene, i int, c string) string { return fmt.Sprintf(`buf += "%s"`, c) }),
		lines("assignments", 3, 1, func(_ *scene, i int, c string) string { return fmt.Sprintf(`  k[%d] = '%s';`, i, c) }),
		lines("xml-attributes", 3, 4, func(_ *scene, i int, c string) string { return fmt.Sprintf(`<p n="%d" v="%s"/>`, i, c) }),
		lines("xml-leaves", 3, 2, func(_ *scene, i int, c string) string { return fmt.Sprintf(`  <b>%s</b>`, c) }),
		lines("markdown-list", 3, 4, func(s *scene, _ int, c string) string { return "- " + s.word() + ": `" + c + "`" }),
		lines("diff", 3, 4, func(s *scene, i int, c string) string { return fmt.Sprintf("@@ -%d +%d @@\n-x\n+%s", i, i, c) }),
		lines("yaml-list", 3, 4, func(_ *scene, _ int, c string) string { return "  - '" + c + "'" }),
		lines("yaml-documents", 3, 8, func(s *scene, i int, c string) string { return fmt.Sprintf("---\nname: %s\nlabel: x%s", s.word(), c) }),
		lines("urls", 3, 4, func(s *scene, i int, c string) string {
			return fmt.Sprintf("https://cdn.example.com/%s/%s.js", s.word(), c)
		}),
		lines("mails", 3, 4, func(s *scene, i int, c string) string { return "To: " + c + "@example.com" }),
		lines("base64-each", 3, 4, func(_ *scene, i int, c string) string { return "part " + b64([]byte(c)) }),
		lines("base64-each-8", 3, 8, func(_ *scene, i int, c string) string { return fmt.Sprintf("[%d] %s", i, b64([]byte(c))) }),
		lines("hex-each", 3, 4, func(_ *scene, i int, c string) string { return fmt.Sprintf("recv %x", c) }),
		lines("nato-each", 3, 1, func(s *scene, i int, c string) string {
			return s.stamp(i) + " " + strings.Fields(natoSet)[strings.Index(lowerHex, c)]
		}),
		lines("reverse-order", 3, 32, func(s *scene, _ int, c string) string {
			l := s.lines(4, logged)
			slices.Reverse(l)
			return strings.Join(l, "\n")
		}),
		shuffledLines("numbered-4", 4, numbered), shuffledLines("numbered-2", 2, numbered), shuffledLines("numbered-1", 1, numbered),
		shuffledLines("numbered-json", 4, object), shuffledLines("numbered-json-1", 1, object),
		shuffledLines("numbered-from-end", 4, func(s *scene, i int, c string) string { return fmt.Sprintf("left %d: %s", 7-i, c) }),
		shuffledLines("numbered-hex", 2, func(s *scene, i int, c string) string { return fmt.Sprintf("blk-%02x %s", i, c) }),
		shuffledLines("numbered-letters", 4, func(s *scene, i int, c string) string { return fmt.Sprintf("%c: %s", 'A'+i, c) }),
		shuffledLines("numbered-of", 4, func(s *scene, i int, c string) string { return fmt.Sprintf("[%d/8] %s", i+1, c) }),
		shuffledLines("numbered-words", 8, func(s *scene, i int, c string) string {
			return strings.Fields("first second third fourth")[i] + " = " + c
		}),
		shuffledLines("numbered-roman", 4, func(s *scene, i int, c string) string { return roman(i+1) + ". " + c }),
		shuffledLines("by-time", 4, func(s *scene, i int, c string) string { return s.stamp(i) + " note " + c }),
		shuffledLines("by-epoch", 2, func(s *scene, i int, c string) string {
			return fmt.Sprintf("%d.%06d rx %s", 1772000000+i, s.IntN(1e6), c)
		}),
		shuffledLines("by-offset", 8, func(s *scene, i int, c string) string { return fmt.Sprintf("off=0x%04x len=8 %s", 8*i, c) }),
		shuffledLines("numbered-base64", 8, func(s *scene, i int, c string) string { return fmt.Sprintf(`{"seq":%d,"b":"%s"}`, i, b64([]byte(c))) }),
		shuffledLines("numbered-decimal", 2, func(s *scene, i int, c string) string { return fmt.Sprintf(`%d,%d`, i, s.raw[i]) }),
		amongLines("among-4", 4, logged, ordinary), amongLines("among-2", 2, logged, ordinary), amongLines("among-1", 1, logged, ordinary),
		amongLines("among-json", 4, object, func(s *scene) string { return fmt.Sprintf(`{"level":"info","msg":"%s"}`, s.word()) }),
		amongLines("among-alike", 4, func(s *scene, i int, c string) string { return "GET /x/" + c + " 200" }, func(s *scene) string { return "GET /health 200" }),
		file("json-array", 3, "json", func(s *scene) []byte { return []byte(`{"parts":["` + strings.Join(chunks(s.hex, 4), `","`) + `"]}`) }),
		file("json-array-digits", 3, "json", func(s *scene) []byte { return []byte(`["` + strings.Join(chunks(s.hex, 1), `", "`) + `"]`) }),
		file("json-array-objects", 3, "json", func(s *scene) []byte { return []byte("[" + strings.Join(s.lines(4, object), ",\n") + "]") }),
		file("json-object-keys", 3, "json", func(s *scene) []byte {
			return []byte(`{"` + strings.Join(s.lines(4, func(_ *scene, i int, c string) string { return fmt.Sprintf("%d_%s", i, c) }), `":1,"`) + `":1}`)
		}),
		file("two-places", 3, "txt", func(s *scene) []byte {
			return []byte(s.prose(3) + " " + s.hex[:16] + " " + s.prose(12) + " " + s.hex[16:] + " " + s.prose(2))
		}),
		file("three-places", 3, "txt", func(s *scene) []byte {
			return []byte(s.hex[:11] + " " + s.prose(5) + " " + s.hex[11:22] + " " + s.prose(5) + " " + s.hex[22:] + " " + s.prose(2))
		}),
		file("four-places", 3, "txt", func(s *scene) []byte {
			c := chunks(s.hex, 8)
			return []byte(s.prose(2) + " " + c[0] + " " + s.prose(4) + " " + c[1] + " " + s.prose(3) + " " + c[2] + " " + s.prose(5) + " " + c[3] + " " + s.prose(2))
		}),
		file("even-odd", 3, "txt", func(s *scene) []byte {
			return []byte("a=" + columns(2)([]byte(s.hex))[:16] + "\n" + s.prose(3) + "\nb=" + columns(2)([]byte(s.hex))[16:] + "\n")
		}),
		file("overlapping", 3, "log", func(s *scene) []byte {
			out := ""
			for i := 0; i+8 <= 32; i += 4 {
				out += "window " + s.hex[i:i+8] + "\n"
			}
			return []byte(out)
		}),
		file("unequal", 3, "log", func(s *scene) []byte {
			out, at := "", 0
			for i, n := range []int{3, 5, 2, 7, 4, 6, 5} {
				out += fmt.Sprintf("%s part %d: %s\n", s.stamp(i), i, s.hex[at:at+n])
				at += n
			}
			return []byte(out)
		}),
		file("paragraphs", 3, "txt", func(s *scene) []byte {
			out := ""
			for _, c := range chunks(s.hex, 2) {
				out += s.prose(2) + " [" + c + "]\n\n"
			}
			return []byte(out)
		}),
		records("records-16", 16, 5), records("records-64", 64, 20), records("records-13", 13, 0), records("records-100", 100, 33),
		file("records-numbered-shuffled", 3, "bin", func(s *scene) []byte {
			var out []string
			for i, c := range chunks(s.hex, 4) {
				out = append(out, string(append(append([]byte{0xca, 0xfe, 0, byte(i)}, c...), s.noise(8)...)))
			}
			s.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
			return []byte(strings.Join(out, ""))
		}),
		file("lengths-values", 3, "bin", func(s *scene) []byte {
			var out []byte
			for i, c := range chunks(s.hex, 4) {
				out = append(append(append(out, 7, 0, 4), c...), append([]byte{9, byte(i), 6}, s.noise(6)...)...)
			}
			return out
		}),
		file("base64-over-lines", 3, "log", func(s *scene) []byte {
			out := ""
			for i, c := range chunks(b64(s.story()), 60) {
				out += s.stamp(i) + " blob " + c + "\n"
			}
			return []byte(out)
		}),
		file("gzip-base64-over-lines", 3, "log", func(s *scene) []byte {
			out := ""
			for i, c := range chunks(b64(gz(s.story())), 60) {
				out += fmt.Sprintf(`{"seq":%d,"data":"%s"}`, i, c) + "\n"
			}
			return []byte(out)
		}),
		file("gzip-hex-shuffled", 3, "log", func(s *scene) []byte {
			var out []string
			for i, c := range chunks(fmt.Sprintf("%x", gz([]byte(s.prose(2)+s.hex))), 50) {
				out = append(out, fmt.Sprintf("seq=%d data=%s", i, c))
			}
			s.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
			return []byte(strings.Join(out, "\n"))
		}),
		file("base32-over-lines", 3, "log", func(s *scene) []byte {
			out := ""
			for i, c := range chunks(b32(s.raw), 5) {
				out += s.stamp(i) + " sync id=" + c + " ok\n"
			}
			return []byte(out)
		}),
		file("spread-16k", 3, "log", func(s *scene) []byte {
			var out []byte
			for i, c := range chunks(b64(append(s.noise(12000), append([]byte(s.hex), s.noise(5000)...)...)), 16<<10-9) {
				out = fmt.Appendf(out, "%s stdout %s %s\n", s.stamp(i), []string{"P", "F"}[min(1, len(c)/(16<<10-9)^1)], c)
			}
			return out
		}),
		amongLines("half-sent", 8, logged, ordinary).cutAfter(2),
		lines("half-sent-lines-4", 3, 4, logged).cutAfter(4),
	}
}

// cutAfter keeps the lines up to the piece with that number, and noise.
func (t trick) cutAfter(pieces int) trick {
	whole := t.hide
	t.hide = func(s *scene) []byte {
		all := strings.SplitAfter(string(whole(s)), "\n")
		n, out := 0, ""
		for _, l := range all {
			if strings.Contains(l, "chunk=") {
				if n++; n > pieces {
					continue
				}
			}
			out += l
		}
		return []byte(out)
	}
	return t.as(Partial)
}

func (s *scene) noiseText(n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte('g' + s.IntN(20))
	}
	return string(out)
}

// records have one digit each, always in the same place.
func records(name string, size, at int) trick {
	return file(name, 3, "bin", func(s *scene) []byte {
		var out []byte
		for i, c := range []byte(s.hex) {
			r := append(header("", 0x52454331, uint32(i)), s.noise(size)...)[:size]
			r[at] = c
			out = append(out, r...)
		}
		return out
	})
}

// lineLengths writes a line as long as each number says.
func (s *scene) lineLengths(numbers []byte, least int) []byte {
	var out strings.Builder
	for _, n := range numbers {
		line := ""
		for len(line) < least+int(n) {
			line += s.word() + " "
		}
		out.WriteString(line[:least+int(n)-1] + ".\n")
	}
	return []byte(out.String())
}
