package corpus

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// words are what the prose is made of; long enough a list that nothing repeats in step.
const words = `the of and a to in is that it was for on are as with his they at be this from have or by one had not but what
all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has
more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little
very after words called just where most know get through back much before go good new write our used me man too any day same right look think
also around another came come work three word must because does part even place well such here take why things help put years different away
again off went old number great tell men say small every found still between name should home big give air line set own under read last never
us left end along while might next sound below saw something thought both few those always looked show large often together asked house world
going want school important until form food keep children feet land side without boy once animals life enough took sometimes four head above
kind began almost live page got earth need far hand high year mother light parts country father let night following picture being study second
eyes soon times story boys since white days ever paper hard near sentence better best across during today others however sure means knew try
told young miles sun ways thing whole hear example heard several change answer room sea against top turned learn point city play toward five
using himself usually money seen car morning given trees order service request handler worker queue cache bucket region cluster deploy build`

func (s *scene) word() string {
	return s.words[s.IntN(len(s.words))]
}

// prose is n sentences, in lines of about 76 characters.
func (s *scene) prose(n int) string {
	var b strings.Builder
	col := 0
	for range n {
		for i, size := 0, 5+s.IntN(14); i < size; i++ {
			w := s.word()
			if i == 0 {
				w = strings.ToUpper(w[:1]) + w[1:]
			}
			if i == size-1 {
				w += "."
			}
			if col += len(w) + 1; col > 76 {
				b.WriteByte('\n')
				col = len(w)
			} else if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
	}
	return b.String()
}

func (s *scene) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.Uint32())
	}
	return b
}

func (s *scene) noiseHex(n int) string { return fmt.Sprintf("%x", s.noise((n+1)/2))[:n] }

func (s *scene) clock() time.Time {
	return time.Date(2026, 3, 1+s.IntN(28), s.IntN(24), s.IntN(60), s.IntN(60), s.IntN(1e9), time.UTC)
}

// record is a line of a JSON log.
func (s *scene) record(message string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(e.Encode(map[string]any{
		"ts": s.clock().Format(time.RFC3339Nano), "level": s.pick("info", "debug", "warn"), "svc": s.word(),
		"pid": 100 + s.IntN(30000), "ms": float64(s.IntN(90000)) / 100, "req": s.noiseHex(16), "msg": message,
	}))
	return b.String()
}

func (s *scene) pick(of ...string) string { return of[s.IntN(len(of))] }

// amidText puts a token into one of four kinds of file.
func (s *scene) amidText(token string) []byte {
	switch kind := s.IntN(5); {
	case strings.Contains(token, "\n"):
		return []byte(s.prose(4+s.IntN(20)) + "\n\n" + strings.TrimRight(token, "\n") + "\n\n" + s.prose(2+s.IntN(20)) + "\n")
	case kind == 0:
		return s.inLog(token)
	case kind == 1:
		return s.inSource(token)
	case kind == 2:
		return s.amidBinary(append(append([]byte{0}, token...), 0))
	default:
		return []byte(s.prose(3+s.IntN(30)) + " " + s.pick("(", "'", "see ", "= ", "") + token + s.pick(" ", "\n", ". ", "; ") + s.prose(2+s.IntN(30)) + "\n")
	}
}

func (s *scene) inLog(token string) []byte {
	var b strings.Builder
	for range 2 + s.IntN(20) {
		b.WriteString(s.record(s.prose(1)))
	}
	b.WriteString(s.record(s.pick("", "value ", "payload=", "state: ") + token))
	for range 2 + s.IntN(20) {
		b.WriteString(s.record(s.prose(1)))
	}
	return []byte(b.String())
}

func (s *scene) inSource(token string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"fmt\"\n\n// %s\n", s.word(), strings.ReplaceAll(s.prose(2), "\n", "\n// "))
	for range 1 + s.IntN(6) {
		fmt.Fprintf(&b, "func %s%d(a, b int) int {\n\tif a > %d {\n\t\treturn b * %d\n\t}\n\treturn a\n}\n\n", s.word(), s.IntN(99), s.IntN(900), s.IntN(900))
	}
	fmt.Fprintf(&b, "const %s = `%s`\n\nfunc main() {\n\tfmt.Println(\"%s\")\n}\n", s.word(), token, s.word())
	return []byte(b.String())
}

// amidBinary puts bytes between records of small numbers, strings and noise.
func (s *scene) amidBinary(b []byte) []byte {
	var out bytes.Buffer
	s.machine(&out, 1+s.IntN(12))
	out.Write(b)
	s.machine(&out, 1+s.IntN(12))
	return out.Bytes()
}

func (s *scene) machine(out *bytes.Buffer, n int) {
	for range n {
		switch s.IntN(4) {
		case 0:
			out.Write(s.noise(20 + s.IntN(300)))
		case 1:
			for range 8 + s.IntN(40) {
				must(binary.Write(out, binary.LittleEndian, s.Uint32N(4096)))
			}
		case 2:
			out.WriteString(s.word() + "_" + s.word() + "\x00" + s.prose(1) + "\x00")
		default:
			out.Write(make([]byte, 8+s.IntN(100)))
		}
	}
}
