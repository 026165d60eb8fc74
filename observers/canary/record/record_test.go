package record_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/record"
)

// token is the 32 digits that every case hides; none of them spells a word.
const token = "4f9a07c2e18b63d5a0e7314cb96f28d1"

func raw() []byte {
	b, _ := hex.DecodeString(token)
	return b
}

// pieces parts the token into n-digit pieces.
func pieces(n int) []string {
	var all []string
	for i := 0; i < len(token); i += n {
		all = append(all, token[i:min(i+n, len(token))])
	}
	return all
}

// lines makes one line of each of v.
func lines[T any](vs []T, format func(i int, v T) string) string {
	var b strings.Builder
	for i, v := range vs {
		b.WriteString(format(i, v) + "\n")
	}
	return b.String()
}

func shuffled(n int) []int { return rand.New(rand.NewPCG(7, 1)).Perm(n) }

var filler = strings.Fields("the quiet harbour master walked along a wooden pier while gulls turned over slow grey water and nobody spoke to him about rain or tides because every boat had left before dawn")

func noisy(format func(i int, v string) string, n int) string {
	r := rand.New(rand.NewPCG(3, 9))
	return lines(pieces(n), func(i int, v string) string {
		s := ""
		for range r.IntN(3) {
			s += fmt.Sprintf("12:%02d noise: %s %s\n", r.IntN(60), filler[r.IntN(20)], filler[r.IntN(20)])
		}
		return s + format(i, v)
	})
}

// reached reports whether some view of some stage has the token, its bytes, or
// the base64 of it.
func reached(b []byte) string { return reachedWithin(b, 1) }

func reachedWithin(b []byte, depth int) string {
	wants := [][]byte{[]byte(token), []byte(strings.ToUpper(token)), raw(),
		[]byte(base64.RawStdEncoding.EncodeToString([]byte(token))), []byte(base64.RawStdEncoding.EncodeToString(raw()))}
	found := ""
	for _, s := range record.Stages() {
		s.Open(b, layer.NewRoom(64<<20), func(v layer.View) bool {
			for _, w := range wants {
				if bytes.Contains(v.Bytes, w) {
					found = string(v.Technique)
				}
			}
			if found == "" && depth > 0 && !record.Selects(v.Technique) {
				found = reachedWithin(v.Bytes, depth-1)
			}
			return found == ""
		})
		if found != "" {
			return found
		}
	}
	return ""
}

type hidden struct {
	name string
	b    string
}

func TestSplitTokensStandTogether(t *testing.T) {
	cases := slices.Concat(overLines(), overDocuments(), overFrames(), overPlaces(), overNumbers())
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.name] {
			t.Errorf("two cases are called %s", c.name)
		}
		seen[c.name] = true
		if bytes.Contains([]byte(c.b), []byte(token)) {
			t.Errorf("%s: hides nothing", c.name)
		}
		if reached([]byte(c.b)) == "" {
			t.Errorf("%s: no view holds the token", c.name)
		}
	}
	t.Logf("%d techniques", len(cases))
}

func overLines() []hidden {
	p4, p2, p1 := pieces(4), pieces(2), pieces(1)
	order := shuffled(8)
	day := func(i int) string { return fmt.Sprintf("2026-11-30T06:%02d:%02dZ", i/60+7, i%60) }
	pick := func(f func(i int, v string) string) string {
		return lines(order, func(_ int, k int) string { return f(k, p4[k]) })
	}
	var double, writers, trailing string
	for i, v := range p4 {
		s := fmt.Sprintf("seq=%d data=%s\n", i, v)
		double += s
		if i%3 == 0 {
			double += s
		}
		writers += fmt.Sprintf("pid=%d step=%d msg=%s\npid=%d step=%d msg=%04x\n", 811, i, v, 907, i, i*7919)
		trailing += strings.Join(filler[i:i+3+i%4], " ") + " ref " + v + "\n"
	}
	return []hidden{
		{"log lines", noisy(func(i int, v string) string { return day(i) + " INFO upload chunk " + v }, 4)},
		{"log lines, one digit each", noisy(func(i int, v string) string { return day(i) + " INFO byte " + v }, 1)},
		{"key=value", noisy(func(i int, v string) string { return fmt.Sprintf("level=info n=%d token=%s", i, v) }, 4)},
		{"shuffled with part=3/8", pick(func(i int, v string) string { return fmt.Sprintf("part=%d/8 %s", i+1, v) })},
		{"shuffled with [02]", pick(func(i int, v string) string { return fmt.Sprintf("[%02d] %s", i, v) })},
		{"shuffled with 3:ab12", pick(func(i int, v string) string { return fmt.Sprintf("%d:%s", i, v) })},
		{"shuffled with hexadecimal numbers", pick(func(i int, v string) string { return fmt.Sprintf("0x%02x -> %s", i*5, v) })},
		{"shuffled with Roman numbers", pick(func(i int, v string) string {
			return strings.Fields("I II III IV V VI VII VIII")[i] + ". " + v
		})},
		{"shuffled with letters", pick(func(i int, v string) string { return string(rune('a'+i)) + ") " + v })},
		{"shuffled with number words", pick(func(i int, v string) string {
			return strings.Fields("first second third fourth fifth sixth seventh eighth")[i] + " is " + v
		})},
		{"shuffled with times", pick(func(i int, v string) string { return day(i*17) + " wrote " + v })},
		{"reversed lines", lines(p4, func(i int, _ string) string { return "chunk " + p4[7-i] })},
		{"descending numbers", pick(func(i int, v string) string { return fmt.Sprintf("left=%d %s", 7-i, v) })},
		{"retransmitted", double},
		{"two writers", writers},
		{"free text before", trailing},
		{"first characters of lines", lines(p1, func(i int, v string) string { return v + " " + filler[i%30] + " " + filler[(i*7)%30] })},
		{"last characters of lines", lines(p1, func(i int, v string) string { return filler[i%30] + " " + filler[(i*7)%30] + v })},
		{"first two of words", strings.Join(each(p2, func(i int, v string) string { return v + filler[i] }), " ")},
		{"fixed column", lines(p1, func(i int, v string) string { return fmt.Sprintf("%09d%s%07d", i*7919, v, i*104729) })},
		{"cells", "id,name,data\n" + lines(p4, func(i int, v string) string { return fmt.Sprintf(`%d,"%s, %s",%s`, i, filler[i], filler[i+1], v) })},
		{"cells with tabs", lines(p4, func(i int, v string) string { return filler[i] + "\t" + v + "\t" + filler[i+5] })},
		{"table of Markdown", "| a | b |\n|---|---|\n" + lines(p4, func(i int, v string) string { return "| " + filler[i] + " | " + v + " |" })},
		{"rows of SQL", "INSERT INTO t VALUES " + strings.Join(each(p4, func(i int, v string) string { return fmt.Sprintf("(%d,'%s')", i, v) }), ",") + ";\n"},
		{"statements of SQL", lines(p4, func(i int, v string) string { return fmt.Sprintf("INSERT INTO t (a,b) VALUES (%d,'%s');", i, v) })},
		{"query", "GET /x?" + strings.Join(each(p4, func(i int, v string) string { return fmt.Sprintf("p%d=%s", i, v) }), "&") + " HTTP/1.1\r\n\r\n"},
		{"query, shuffled", "https://h.example/?" + strings.Join(each(order, func(_, k int) string { return fmt.Sprintf("p%d=%s", k, p4[k]) }), "&")},
		{"cookies", "Cookie: " + strings.Join(each(p4, func(i int, v string) string { return fmt.Sprintf("c%d=%s", i, v) }), "; ") + "\r\n"},
		{"headers of requests", strings.Join(each(p4, func(i int, v string) string {
			return fmt.Sprintf("GET /%s HTTP/1.1\r\nHost: example.org\r\nX-Request-Id: %s\r\nAccept: */*\r\n\r\n", filler[i], v)
		}), "")},
		{"environment", lines(order, func(_ int, k int) string { return fmt.Sprintf("export PART_%d=%s", k, p4[k]) })},
		{"settings with sections", lines(p4, func(i int, v string) string { return fmt.Sprintf("[s%d]\nname = %s\nvalue = %s\n", i, filler[i], v) })},
		{"difference", "--- a\n+++ b\n" + lines(p4, func(i int, v string) string { return "-" + filler[i] + "\n+" + v })},
		{"literals of a source", "package x\n\nvar s = " + strings.Join(each(p4, func(_ int, v string) string { return `"` + v + `"` }), " +\n\t") + "\n"},
		{"comments of a source", lines(p4, func(i int, v string) string { return "call" + filler[i] + "() // " + v })},
		{"emphasis", strings.Join(each(p1, func(i int, v string) string { return filler[i%30] + " **" + v + "** " }), "")},
		{"list of names", lines(order, func(_ int, k int) string { return fmt.Sprintf("tmp/out/%s.%03d", p4[k], k) })},
		{"names with NUL", strings.Join(each(p4, func(i int, v string) string { return fmt.Sprintf("d/%02d-%s.txt", i, v) }), "\x00")},
		{"extensions", lines(p4, func(i int, v string) string { return filler[i] + "." + v })},
		{"colour of terminal", "start " + strings.Join(pieces(2), "\x1b[31m") + " end\n"},
		{"backspaces", "x " + strings.Join(each(p2, func(_ int, v string) string { return "zz\b\b" + v }), "") + "\n"},
		{"carriage returns", strings.Join(each(p4, func(i int, v string) string { return filler[i] + filler[i+1] + "\r" + v }), "\n")},
		{"base64 of each", lines(p4, func(i int, v string) string { return "blob: " + base64.StdEncoding.EncodeToString([]byte(v)) + " ok" })},
		{"base64, then split", lines(chunks(base64.StdEncoding.EncodeToString([]byte(token)), 5), func(i int, v string) string { return day(i) + " got '" + v + "'" })},
		{"addresses", lines(chunks(string(raw()), 4), func(_ int, v string) string {
			return fmt.Sprintf("connect %d.%d.%d.%d port 443", v[0], v[1], v[2], v[3])
		})},
		{"capitals", strings.Join(each(p1, func(i int, v string) string { return filler[i%30] + v }), " ")},
		{"every second word", strings.Join(each(p4, func(i int, v string) string { return v + " " + filler[i] }), " ")},
		{"sentences", strings.Join(each(p1, func(i int, v string) string { return v + " " + filler[i%30] + " " + filler[i%7] + ". " }), "")},
	}
}

func each[T any](vs []T, f func(i int, v T) string) []string {
	all := make([]string, len(vs))
	for i, v := range vs {
		all[i] = f(i, v)
	}
	return all
}

func chunks(s string, n int) []string {
	var all []string
	for i := 0; i < len(s); i += n {
		all = append(all, s[i:min(i+n, len(s))])
	}
	return all
}

func overDocuments() []hidden {
	p4 := pieces(4)
	order := shuffled(8)
	return []hidden{
		{"JSON lines", lines(p4, func(i int, v string) string {
			return fmt.Sprintf(`{"ts":%d,"user":{"id":"%s"},"d":"%s"}`, i*31, filler[i], v)
		})},
		{"JSON lines, shuffled", lines(order, func(_, k int) string { return fmt.Sprintf(`{"seq":%d,"p":{"d":"%s"}}`, k, p4[k]) })},
		{"JSON array", `{"items":[` + strings.Join(each(p4, func(i int, v string) string { return fmt.Sprintf(`{"n":%d,"v":"%s"}`, i, v) }), ", ") + `]}`},
		{"JSON members, shuffled", `{` + strings.Join(each(order, func(_, k int) string { return fmt.Sprintf(`"part%d":"%s"`, k, p4[k]) }), ", ") + `}`},
		{"JSON members by letter", `{` + strings.Join(each(order, func(_, k int) string { return fmt.Sprintf(`"%c":"%s"`, 'a'+k, p4[k]) }), ", ") + `}`},
		{"JSON strings", `["` + strings.Join(p4, `","`) + `"]`},
		{"JSON keys", `{` + strings.Join(each(p4, func(i int, v string) string { return fmt.Sprintf(`"%s":%d`, v, i) }), ", ") + `}`},
		{"JSON, nested", strings.Join(each(p4, func(_ int, v string) string { return `{"v":"` + v + `","next":` }), "") + "null" + strings.Repeat("}", 8)},
		{"JSON, indented", "{\n  \"rows\": [\n" + strings.Join(each(p4, func(i int, v string) string {
			return fmt.Sprintf("    {\n      \"name\": \"%s\",\n      \"data\": \"%s\"\n    }", filler[i], v)
		}), ",\n") + "\n  ]\n}\n"},
		{"attributes of spans", `{"spans":[` + strings.Join(each(p4, func(i int, v string) string {
			return fmt.Sprintf(`{"name":"s%d","attributes":[{"key":"host","value":{"stringValue":"h"}},{"key":"id","value":{"stringValue":"%s"}}]}`, i, v)
		}), ",") + `]}`},
		{"XML attributes", "<r>" + strings.Join(each(p4, func(i int, v string) string { return fmt.Sprintf(`<i n="%d" v="%s"/>`, i, v) }), "") + "</r>"},
		{"XML elements, shuffled", "<r>\n" + lines(order, func(_, k int) string { return fmt.Sprintf("<rec><seq>%d</seq><data>%s</data></rec>", k, p4[k]) }) + "</r>"},
		{"XML texts", "<r>" + strings.Join(each(p4, func(i int, v string) string { return "<t>" + filler[i] + "</t><d>" + v + "</d>" }), "") + "</r>"},
		{"comments of HTML", "<html>" + strings.Join(each(p4, func(i int, v string) string { return "<p>" + filler[i] + "</p><!-- " + v + " -->" }), "") + "</html>"},
		{"tags between", "<p>" + strings.Join(p4, "<b></b>") + "</p>"},
		{"settings in YAML", "items:\n" + lines(order, func(_, k int) string { return fmt.Sprintf("  - id: %d\n    data: %s", k, p4[k]) })},
		{"events of a stream", strings.Join(each(p4, func(i int, v string) string { return fmt.Sprintf("id: %d\nevent: x\ndata: %s\n\n", i, v) }), "")},
	}
}

func overFrames() []hidden {
	p4 := pieces(4)
	frame := func(f func(b []byte, i int, v string) []byte) string {
		var b []byte
		for i, v := range p4 {
			b = f(b, i, v)
		}
		return string(b)
	}
	return []hidden{
		{"docker json-file", lines(p4, func(i int, v string) string {
			return fmt.Sprintf(`{"log":"%s","stream":"stdout","time":"t%d"}`+"\n"+`{"log":"%s\n","stream":"stderr","time":"t%d"}`, v, i, filler[i], i)
		})},
		{"CRI log", lines(p4, func(i int, v string) string {
			return fmt.Sprintf("2026-11-30T06:07:4%d.5Z stdout P %s\n2026-11-30T06:07:4%d.6Z stderr F %s", i, v, i, filler[i])
		})},
		{"docker stream", frame(func(b []byte, i int, v string) []byte {
			b = append(b, 2, 0, 0, 0, 0, 0, 0, 3, 'e', 'r', 'r')
			return append(append(b, 1, 0, 0, 0, 0, 0, 0, 4), v...)
		})},
		{"journal export", frame(func(b []byte, i int, v string) []byte {
			b = fmt.Appendf(b, "__CURSOR=s%d\nPRIORITY=6\nMESSAGE\n", i)
			b = binary.LittleEndian.AppendUint64(b, 4)
			return append(append(b, v...), "\n\n"...)
		})},
		{"octet-counted syslog", frame(func(b []byte, i int, v string) []byte {
			s := "<13>1 - h a - - - " + v
			return fmt.Appendf(b, "%d %s", len(s), s)
		})},
		{"netstrings", frame(func(b []byte, _ int, v string) []byte { return fmt.Appendf(b, "4:%s,", v) })},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + frame(func(b []byte, _ int, v string) []byte { return fmt.Appendf(b, "4\r\n%s\r\n", v) }) + "0\r\n\r\n"},
		{"WebSocket", frame(func(b []byte, i int, v string) []byte {
			key := [4]byte{byte(i * 91), 7, byte(i * 33), 0xd1}
			b = append(append(b, byte(min(i, 1)^1)*0x01|byte(i/7)<<7, 0x84), key[:]...)
			for k := range v {
				b = append(b, v[k]^key[k%4])
			}
			return b
		})},
		{"HTTP/2", frame(func(b []byte, _ int, v string) []byte { return append(append(b, 0, 0, 4, 0, 0, 0, 0, 0, 1), v...) })},
		{"multipart", "head\r\n\r\n" + frame(func(b []byte, i int, v string) []byte {
			return fmt.Appendf(b, "--XbOuNd\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n", filler[i], v)
		}) + "--XbOuNd--\r\n"},
		{"GELF", frame(func(b []byte, i int, _ string) []byte {
			k := shuffled(8)[i]
			return append(append(b, 0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, byte(k), 8), p4[k]...)
		})},
		{"gRPC", frame(func(b []byte, _ int, v string) []byte { return append(append(b, 0, 0, 0, 0, 4), v...) })},
		{"one-byte lengths", frame(func(b []byte, _ int, v string) []byte { return append(append(b, 4), v...) })},
		{"tag and two-byte length", "MAGC" + frame(func(b []byte, i int, v string) []byte { return append(append(b, byte(i), 4, 0), v...) })},
		{"chunks with checks", "MAGICMAG" + frame(func(b []byte, i int, v string) []byte {
			return append(append(append(b, 0, 0, 0, 4, 't', 'E', 'X', 't'), v...), byte(i*77), 1, byte(i*31), 3)
		})},
	}
}

func overPlaces() []hidden {
	r := rand.New(rand.NewPCG(11, 5))
	apart := func(s string, n, phase int) string {
		b := make([]byte, len(s)*n)
		for i := range b {
			b[i] = "ghijklmnopqrstuvwxyz ,."[r.IntN(23)]
		}
		for i := range len(s) {
			b[i*n+phase] = s[i]
		}
		return string(b)
	}
	prose := strings.Repeat(strings.Join(filler, " ")+" ", 4000)
	var down, rail string
	for k := range 5 {
		for i := k; i < 32; i += 5 {
			down += token[i : i+1]
		}
	}
	for rank := range 3 {
		for i := range 32 {
			if k := i % 4; min(k, 4-k) == rank {
				rail += token[i : i+1]
			}
		}
	}
	var records []byte
	for i, c := range raw() {
		records = append(binary.BigEndian.AppendUint32(append(records, byte(i), 0x80, c), uint32(i*40503)), 0xee)
	}
	return []hidden{
		{"every 3rd character", apart(token, 3, 1)},
		{"every 16th character", apart(token, 16, 9)},
		{"every 37th byte of base64", apart(base64.StdEncoding.EncodeToString([]byte(token)), 37, 5)},
		{"every 7th in a large text", prose + apart(token, 7, 2) + prose},
		{"fixed records", string(records)},
		{"columns read down", "token: " + down + "\n"},
		{"rail fence", "the value " + rail + " is here"},
		{"pairs swapped", "k=" + string(swapped(token, 2)) + "\n"},
		{"blocks of eight reversed", string(swapped(token, 8))},
		{"halves swapped", "v " + token[16:] + token[:16]},
		{"even then odd", "v " + evenOdd()},
	}
}

func swapped(s string, n int) []byte {
	b := []byte(s)
	for i := 0; i < len(b); i += n {
		slices.Reverse(b[i : i+n])
	}
	return b
}

func evenOdd() string {
	var a, b string
	for i := range 32 {
		if i%2 == 0 {
			a += token[i : i+1]
		} else {
			b += token[i : i+1]
		}
	}
	return a + b
}
