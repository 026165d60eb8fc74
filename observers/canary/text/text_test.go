package text_test

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
	"postern/observers/canary/text"
)

// secretText is a canary of this test alone, with all kinds of digits.
const secretText = "4a7f09c3e81b62d5907fac3e14b8d26a"

func secretRaw() []byte {
	raw, err := hex.DecodeString(secretText)
	if err != nil {
		panic(err)
	}
	return raw
}

// opened reports whether the secret appears in what the stages yield, applied
// at most depth times.
func opened(b []byte, depth int) bool {
	seen := map[string]bool{}
	queue := [][]byte{b}
	for ; depth > 0; depth-- {
		var below [][]byte
		found := false
		for _, piece := range queue {
			room := layer.NewRoom(4<<20 + 64*len(piece))
			for _, s := range text.Stages() {
				s.Open(piece, room, func(v layer.View) bool {
					if holdsSecret(v.Bytes) {
						found = true
						return false
					}
					if !seen[string(v.Bytes)] {
						seen[string(v.Bytes)] = true
						below = append(below, v.Bytes)
					}
					return true
				})
				if found {
					return true
				}
			}
		}
		queue = below
	}
	return false
}

func holdsSecret(b []byte) bool {
	return bytes.Contains(bytes.ToLower(b), []byte(secretText)) || bytes.Contains(b, secretRaw())
}

func TestEveryDressIsTakenOffAtAnyOffset(t *testing.T) {
	for _, d := range dresses() {
		t.Run(d.name, func(t *testing.T) {
			depth := max(d.depth, 1)
			for _, around := range [][2]string{{"", ""}, {"The value is here:\n", "\nand that was it, said the clerk.\n"}} {
				b := []byte(around[0] + d.dressed + around[1])
				if !opened(b, depth) {
					t.Errorf("not taken off at depth %d, %d bytes before", depth, len(around[0]))
				}
			}
		})
	}
}

func TestStagesKeepToTheirRoom(t *testing.T) {
	for _, d := range dresses() {
		for _, s := range text.Stages() {
			room := layer.NewRoom(40)
			total := 0
			s.Open([]byte(d.dressed), room, func(v layer.View) bool {
				total += len(v.Bytes)
				return true
			})
			if total > 40 {
				t.Errorf("%s: %s yields %d bytes of room for 40", d.name, s.Technique, total)
			}
		}
	}
}

func TestStagesStopWhenTheyAreTold(t *testing.T) {
	for _, d := range dresses() {
		for _, s := range text.Stages() {
			n := 0
			s.Open([]byte(d.dressed), layer.NewRoom(1<<20), func(layer.View) bool {
				n++
				return false
			})
			if n > 1 {
				t.Errorf("%s: %s yields %d views after it was told to stop", d.name, s.Technique, n-1)
			}
		}
	}
}

func FuzzStages(f *testing.F) {
	for _, d := range dresses() {
		f.Add([]byte(d.dressed))
	}
	for _, b := range layertest.Hostile() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, s := range text.Stages() {
			layertest.Stage(t, s, b, layertest.Bounds{Room: 1 << 20, Memory: 4 << 20, Each: 256})
		}
	})
}

func TestBytesThatHoldNothingYieldLessThanTheyAre(t *testing.T) {
	for _, kind := range []string{"prose", "source", "binary", "random", "log"} {
		pieces := [][]byte{dull(kind, 1<<17)}
		for depth := range 4 {
			var below [][]byte
			yielded := 0
			for _, b := range pieces {
				for _, s := range text.Stages() {
					s.Open(b, layer.NewRoom(1<<24), func(v layer.View) bool {
						yielded += len(v.Bytes)
						below = append(below, v.Bytes)
						return true
					})
				}
			}
			if yielded > 1<<16 {
				t.Errorf("%s: %d bytes yielded at depth %d", kind, yielded, depth)
			}
			pieces = below
		}
	}
}

// TestRepeatedMarksYieldABoundedMultiple counts bytes rather than seconds, which a
// busy machine stretches; the inputs are what each family has most to do with.
func TestRepeatedMarksYieldABoundedMultiple(t *testing.T) {
	for _, mark := range []string{"=?", "\\", "%41", "<a", "&#5", "\"a", "+A", "xn--a", "a*1=", "<~", "0x", "1,", "01", "\u00e9", "\x00a", "M", ":\n", "00000000: 00\n", "one ", "iv ", ".-", "[]", "+[.]", " \t", "AbC1", "a1B2c3D4e5F6g7H8\n", "ACGT", "9jqo^BlbD-", "A$ ", "_x0041_", "babad-", "\xf0\x9f\x90\x80"} {
		b := bytes.Repeat([]byte(mark), (1<<17)/len(mark))
		for _, s := range text.Stages() {
			yielded := 0
			s.Open(b, layer.NewRoom(1<<30), func(v layer.View) bool {
				yielded += len(v.Bytes)
				return true
			})
			if yielded > 24*len(b) {
				t.Errorf("%q: %s yields %d times the input", mark, s.Technique, yielded/len(b))
			}
		}
	}
}

// dull are bytes with nothing in them for a text stage, or little.
func dull(kind string, n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := bytes.Fields([]byte(prose))
	var b []byte
	for len(b) < n {
		switch kind {
		case "prose":
			b = append(b, words[r.IntN(len(words))]...)
			b = append(b, " \n"[min(r.IntN(12), 11)/11])
		case "source":
			b = append(b, source...)
		case "binary":
			for range 64 {
				b = append(b, byte(r.Uint32()>>(r.IntN(4)*8))*byte(r.IntN(2)))
			}
		case "random":
			b = append(b, byte(r.Uint32()))
		case "log":
			b = append(b, logLine(r)...)
		}
	}
	return b[:n]
}

func BenchmarkReject(b *testing.B) {
	for _, kind := range []string{"prose", "source", "binary", "random", "log"} {
		data := dull(kind, 1<<20)
		for _, s := range text.Stages() {
			b.Run(kind+"/"+string(s.Technique), func(b *testing.B) { benchmark(b, data, []layer.Stage{s}) })
		}
		b.Run(kind+"/all", func(b *testing.B) { benchmark(b, data, text.Stages()) })
	}
}

func benchmark(b *testing.B, data []byte, stages []layer.Stage) {
	b.SetBytes(int64(len(data)))
	yielded, views := 0, 0
	for b.Loop() {
		yielded, views = 0, 0
		for _, s := range stages {
			s.Open(data, layer.NewRoom(64<<20), func(v layer.View) bool {
				yielded += len(v.Bytes)
				views++
				return true
			})
		}
	}
	b.ReportMetric(float64(yielded)/float64(len(data)), "yielded/byte")
	b.ReportMetric(float64(views), "views")
}

// What encodes to yEnc writes no byte of zero: a program that has the word in it is
// not decoded to its end.
func TestYEncEndsWhereNoneCanBe(t *testing.T) {
	in := slices.Concat([]byte("=ybegin line=128 size=9 name=x\r\n"), bytes.Repeat([]byte("\x8b\x8c\x8d"), 30), []byte{0}, bytes.Repeat([]byte("program"), 9000))
	most := 0
	for _, s := range text.Stages() {
		s.Open(in, layer.NewRoom(1<<20), func(v layer.View) bool {
			if v.Technique == "yenc" {
				most = max(most, len(v.Bytes))
			}
			return true
		})
	}
	if most < 80 || most > 200 {
		t.Errorf("%d bytes", most)
	}
}
