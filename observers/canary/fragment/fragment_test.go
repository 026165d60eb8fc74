package fragment_test

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"postern/observers/canary/fragment"
	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
	"postern/observers/canary/secret"
)

type given struct {
	secret.Secret
	raw   []byte
	lower string
}

func random(seed uint64) given {
	raw := noise(seed+1<<32, 16)
	return given{secret.New([]byte(hex.EncodeToString(raw)), raw), raw, hex.EncodeToString(raw)}
}

func absent(n int) []secret.Secret {
	var out []secret.Secret
	for i := range n {
		out = append(out, random(uint64(7000+i)).Secret)
	}
	return out
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 11))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	return out
}

// lines are 64 digits each.
func lines(seed uint64, n int) []byte {
	out := []byte(hex.EncodeToString(noise(seed, n/2+1)))[:n]
	for i := 64; i < n; i += 65 {
		out[i] = '\n'
	}
	return out
}

func prose(n int) []byte {
	return []byte(strings.Repeat("It was a fine day by the river, and nobody had a face to lose. ", n/60+1))[:n]
}

func mixedCase(text string) string {
	out := []byte(text)
	for i := range out {
		if i%3 == 0 {
			out[i] = strings.ToUpper(text)[i]
		}
	}
	return string(out)
}

func backwards[T byte | rune](x []T) []T {
	out := make([]T, len(x))
	for i := range x {
		out[len(x)-1-i] = x[i]
	}
	return out
}

// best is the most bits, per secret.
func best(f layer.Finder, b []byte) map[int]layer.Match {
	out := map[int]layer.Match{}
	f.Find(b, func(m layer.Match) bool {
		if m.Bits > out[m.Secret].Bits {
			out[m.Secret] = m
		}
		return true
	})
	return out
}

// leaks are parts of a secret; each is to be seen with so many bits, or with
// none where it is too little.
func leaks(g given) map[string]struct {
	in   string
	bits int
} {
	type leak = struct {
		in   string
		bits int
	}
	join := func(parts ...string) string { return strings.Join(parts, "\n -- nothing -- \n") }
	of := func(from, to int) string { return g.lower[from:to] }
	b64 := base64.StdEncoding.EncodeToString
	b32 := base32.StdEncoding.EncodeToString
	return map[string]leak{
		"half the digits":         {"x=" + of(0, 16) + ";", 64},
		"the other half":          {of(16, 32), 64},
		"twelve digits":           {"(" + of(9, 21) + ")", 48},
		"digits in capitals":      {strings.ToUpper(of(3, 17)), 56},
		"digits in both cases":    {mixedCase(of(3, 17)), 56},
		"digits backwards":        {string(backwards([]byte(of(5, 21)))), 64},
		"eight raw bytes":         {"--" + string(g.raw[4:12]) + "--", 64},
		"six raw bytes":           {string(g.raw[10:]), 48},
		"raw bytes backwards":     {string(backwards(g.raw[2:10])), 64},
		"base64 of half":          {"\"" + b64(g.raw[1:10]) + "\"", 54},
		"base64 in a longer text": {strings.TrimRight(b64([]byte("ab" + string(g.raw)))[7:20], "="), 78},
		"base64 of digits":        {b64([]byte(of(2, 20))), 72},
		"base64url":               {base64.RawURLEncoding.EncodeToString(g.raw[:12]), 90},
		"base32 of ten bytes":     {b32(g.raw[:10]), 80},
		"base32 in small":         {strings.ToLower(b32(g.raw[5:15])), 80},
		"base32hex":               {base32.HexEncoding.EncodeToString(g.raw[:10]), 80},
		"base32 of digits":        {b32([]byte(of(0, 20))), 80},
		"eight digits":            {"id " + of(8, 16) + ".", 32},
		"four digits":             {"id " + of(8, 12) + ".", 0},
		"two of eight, far apart": {of(20, 28) + string(prose(5000)) + of(4, 12), 64},
		"four of eight":           {join(of(8, 16), of(24, 32), of(0, 8), of(16, 24)), 128},
		"eight of four":           {join(of(8, 12), of(24, 28), of(0, 4), of(28, 32), of(4, 8), of(12, 16), of(16, 20), of(20, 24)), 128},
		"pieces that overlap":     {join(of(10, 22), of(0, 12), of(20, 32)), 128},
		"raw in three pieces":     {join(string(g.raw[11:]), string(g.raw[:5]), string(g.raw[5:11])), 128},
	}
}

func TestPartsAreSeenAndAreNotAnother(t *testing.T) {
	for seed := range uint64(20) {
		planted, other := random(seed), random(seed+500)
		f := fragment.New([]secret.Secret{other.Secret, planted.Secret})
		for name, leak := range leaks(planted) {
			for where, b := range map[string][]byte{
				"alone":    []byte(leak.in),
				"in prose": bytes.Join([][]byte{prose(300), []byte(leak.in), prose(200)}, []byte("\n")),
			} {
				found := best(f, b)
				if found[1].Bits < leak.bits || leak.bits == 0 && found[1].Bits > 0 {
					t.Errorf("secret %d, %s, %s: %d bits", seed, name, where, found[1].Bits)
				}
				if found[0].Bits > 0 {
					t.Errorf("secret %d, %s, %s: the other has %d bits by %s", seed, name, where, found[0].Bits, found[0].Technique)
				}
			}
		}
	}
}

func TestPiecesInALargeInput(t *testing.T) {
	g := random(2)
	f := fragment.New([]secret.Secret{g.Secret})
	for _, at := range []int{0, 1, 2, 3, 4, 5, 1 << 20, 3<<20 - 12} {
		b := lines(1, 3<<20)
		copy(b[at:], g.lower[7:19])
		if got := best(f, b)[0]; got.Bits < 48 || got.Offset > at || got.Offset < at-3 {
			t.Errorf("12 digits at %d: %d bits at %d", at, got.Bits, got.Offset)
		}
		b = noise(1, 3<<20)
		copy(b[at:], g.raw[7:13])
		if got := best(f, b)[0]; got.Bits < 48 || got.Offset != at {
			t.Errorf("6 bytes at %d: %d bits at %d", at, got.Bits, got.Offset)
		}
	}
	b := lines(3, 3<<20)
	copy(b[100:], g.lower[:8])
	if got := best(f, b)[0]; got.Bits > 0 {
		t.Errorf("8 digits among millions: %d bits", got.Bits)
	}
}

// TestFalsePiecesAreAsManyAsPredicted counts the pieces that 12 secrets have in
// digits that know nothing of them, against the formula.
func TestFalsePiecesAreAsManyAsPredicted(t *testing.T) {
	const size, secrets, seeds = 1 << 20, 12, 3
	for k, tolerance := range map[int]float64{4: 0.05, 5: 0.15, 6: 0.5} {
		// A piece is counted once: not where the digit before belongs to it too,
		// as it does by chance in one of 16 windows but the first. The last k-1
		// places of a line of 64 are no window.
		places, once := size/65*(65-k), 1-float64(32-k)/float64(33-k)/16
		seen, predicted := 0, 0.0
		for seed := range uint64(seeds) {
			seen += fragment.PiecesOf(absent(secrets), lines(21+seed, size), k)
			predicted += secrets * once * fragment.FalsePieces(places, 32, k, 4)
		}
		t.Logf("%d digits: %d seen, %.1f predicted", k, seen, predicted)
		if d := float64(seen)/predicted - 1; d > tolerance || d < -tolerance {
			t.Errorf("%d digits: %d seen, %.1f predicted", k, seen, predicted)
		}
	}
}

func TestNoiseHasNothing(t *testing.T) {
	f := fragment.New(absent(50))
	for i := range 3 {
		for name, b := range map[string][]byte{
			"bytes":      noise(uint64(40+i), 4<<20),
			"digits":     lines(uint64(50+i), 4<<20),
			"base64":     []byte(base64.StdEncoding.EncodeToString(noise(uint64(60+i), 3<<20))),
			"small":      lines(uint64(70+i), 60<<10),
			"not large":  lines(uint64(80+i), 900<<10),
			"few digits": []byte(fmt.Sprintf("id %x and %x", noise(uint64(90+i), 4), noise(uint64(95+i), 8))),
			"zeros":      make([]byte, 1<<20),
			"0123":       bytes.Repeat([]byte("0123456789abcdef"), 4000),
		} {
			f.Find(b, func(m layer.Match) bool {
				t.Errorf("%s: %d bits by %s", name, m.Bits, m.Technique)
				return false
			})
		}
	}
}

// TestSmallInputsHaveNothing repeats what a scan sees most: a few identifiers.
func TestSmallInputsHaveNothing(t *testing.T) {
	f := fragment.New(absent(50))
	for i := range uint64(3000) {
		id := noise(i+1000, 16)
		b := fmt.Appendf(nil, "request %x-%x-%x-%x-%x took %d ms\n", id[:4], id[4:6], id[6:8], id[8:10], id[10:], i)
		f.Find(b, func(m layer.Match) bool {
			t.Errorf("%d bits by %s", m.Bits, m.Technique)
			return false
		})
	}
}

func TestTextThatSpellsNothing(t *testing.T) {
	f := fragment.New([]secret.Secret{secret.New([]byte("the quick brown fox, Tr0ub4dor&3 (staple)"), nil)})
	for text, bits := range map[string]int{
		"the quick brown fox, he said":    0, // words are anybody's
		"a password Tr0ub4dor&3 (st was":  8 * len(" Tr0ub4dor&3 (st"),
		"a password tr0ub4DOR&3 (sta was": 8 * len(" tr0ub4DOR&3 (sta"),
	} {
		if got := best(f, []byte(text))[0].Bits; got != bits {
			t.Errorf("%d bits, not %d", got, bits)
		}
	}
	plain := fragment.New([]secret.Secret{secret.New([]byte("aaaaaaaaaaaaaaaaaaaa"), nil), secret.New([]byte(strings.Repeat("0", 32)), make([]byte, 16))})
	if got := best(plain, []byte(strings.Repeat("a", 500)+strings.Repeat("0", 500)+string(make([]byte, 500)))); len(got) > 0 {
		t.Errorf("%d plain secrets have pieces", len(got))
	}
}

func FuzzFind(f *testing.F) {
	g := random(1)
	for _, leak := range leaks(g) {
		f.Add([]byte(leak.in))
	}
	f.Add(lines(1, 500))
	long := noise(9, 700)
	find := fragment.New([]secret.Secret{g.Secret, secret.New([]byte("a Phrase, 7 words (or 8)"), nil), secret.New([]byte(hex.EncodeToString(long)), long)})
	for _, b := range layertest.Hostile() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		layertest.Finder(t, find, b, layertest.Found{Secrets: 3, Least: 24, Most: 5600})
	})
}

func BenchmarkReject(b *testing.B) {
	for _, secrets := range []int{1, 100} {
		f := fragment.New(absent(secrets))
		for _, size := range []int{64 << 10, 1 << 20, 4 << 20} {
			for name, in := range map[string][]byte{"noise": noise(1, size), "prose": prose(size), "digits": lines(1, size)} {
				b.Run(fmt.Sprintf("secrets=%d/size=%dK/%s", secrets, size>>10, name), func(b *testing.B) {
					b.SetBytes(int64(len(in)))
					for b.Loop() {
						f.Find(in, func(layer.Match) bool { return true })
					}
				})
			}
		}
	}
}
