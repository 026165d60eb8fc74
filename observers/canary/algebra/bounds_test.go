package algebra_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"postern/observers/canary/algebra"
	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
	"postern/observers/canary/secret"
)

// plain is what a weak recogniser would take for anything.
func plain() map[string][]byte {
	count := each(make([]byte, 4096), func(i int, _ byte) byte { return byte(i) })
	var table, records bytes.Buffer
	for i := range 400 {
		fmt.Fprintf(&table, "%04x: %x\n", 16*i, noise(uint64(i), 16))
		fmt.Fprintf(&records, "{\"id\":%d,\"state\":\"open\",\"size\":%d}\n", i, i*i)
	}
	return map[string][]byte{
		"zeros":   make([]byte, 8192),
		"ones":    bytes.Repeat([]byte{0xFF}, 8192),
		"counter": count,
		"words":   []byte(strings.Repeat("one two three four one two four three ", 200)),
		"period":  bytes.Repeat([]byte("0123456789abcdef0011"), 300),
		"table":   table.Bytes(),
		"records": records.Bytes(),
		"prose":   []byte(prose(4, 5000)),
		"halves":  bytes.Repeat([]byte("\x00\x00\x00\x00\x00\x00\x00\x00UUUUUUUU"), 99),
		"emoji":   []byte(strings.Repeat("😀😁🚀😀🐍😁", 300)),
		"noise":   noise(5, 300<<10),
		"base64":  []byte(base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(noise(6, 2<<20))))),
	}
}

func TestNothingPlainHasASecret(t *testing.T) {
	f := algebra.New(append(absent(50), weak()...))
	for name, b := range plain() {
		f.Find(b, func(m layer.Match) bool {
			t.Errorf("%s: secret %d at %d by %s, %d bits", name, m.Secret, m.Offset, m.Technique, m.Bits)
			return false
		})
	}
}

// weak are secrets that much data would have.
func weak() []secret.Secret {
	var out []secret.Secret
	for _, raw := range []string{"\x00", "\x11", "\x01\x02", "\x01\x23\x45\x67"} {
		x := []byte(strings.Repeat(raw, 16))[:16]
		out = append(out, secret.New(fmt.Appendf(nil, "%x", x), x))
	}
	half := noise(8, 8) // the second half is the first, xor one byte
	x := append(half, each(half, func(_ int, c byte) byte { return c ^ 'U' })...)
	out = append(out, secret.New(fmt.Appendf(nil, "%x", x), x))
	for _, text := range []string{"aaaaaaaaaaaaaaaaaaaaaaaa", "abcdefghijklmnopqrstuvwxyz", "passwordpassword", "password", "0000000000000001"} {
		out = append(out, secret.New([]byte(text), nil))
	}
	return out
}

func TestTextThatSpellsNothing(t *testing.T) {
	text := []byte("Correct-Horse7Battery!Staple(Moon)")
	f := algebra.New([]secret.Secret{secret.New(text, nil)})
	key := noise(77, 3)
	for name, b := range map[string][]byte{
		"xor":    each(text, func(_ int, c byte) byte { return c ^ 0x91 }),
		"key":    each(text, func(i int, c byte) byte { return c ^ key[i%2] }),
		"add":    each(text, func(_ int, c byte) byte { return c + 0x91 }),
		"spread": apart(text, 5),
	} {
		b = bytes.Join([][]byte{noise(1, 77), b, noise(2, 99)}, nil)
		if got := best(f, b)[0].Bits; got != 8*len(text) {
			t.Errorf("%s: %d bits", name, got)
		}
	}
}

func TestPartOfASecretIsReportedAsAPart(t *testing.T) {
	g := random(3)
	f := algebra.New([]secret.Secret{g.Secret})
	letters := digits(g.lower, func(_, v int) string { return "qwertyuiopasdfgh"[v : v+1] })
	for from := 0; from+24 <= 32; from++ {
		for before := range 9 { // wherever the samples are
			b := bytes.Join([][]byte{[]byte("!!!!!!!!!"[:before]), letters[from : from+24], noise(3, 300<<10)}, nil)
			if got := best(f, b)[0].Bits; got < 96 || got >= 128 {
				t.Errorf("24 digits from %d at %d: %d bits", from, before, got)
			}
		}
	}
	short := bytes.Join([][]byte{noise(1, 30), letters[:15], noise(2, 30)}, nil)
	if got := best(f, short)[0].Bits; got > 0 {
		t.Errorf("15 digits: %d bits", got)
	}
}

func TestFiguresThatACipherLeftAreAPart(t *testing.T) {
	g := random(6)
	f := algebra.New([]secret.Secret{g.Secret})
	figures := 0
	r := noise(12, 32)
	b := each([]byte(g.lower), func(i int, c byte) byte {
		if c >= 'a' {
			return 'a' + r[i]%26
		}
		figures++
		return c
	})
	if got := best(f, b)[0].Bits; got != 4*figures {
		t.Errorf("%d bits of %d figures", got, figures)
	}
}

func TestLargeInputIsSearched(t *testing.T) {
	g := random(4)
	by := algebra.Grades([]secret.Secret{g.Secret})
	full, quick := by.Full, by.Quick
	b := noise(9, 3<<20)
	x := each(g.raw, func(i int, c byte) byte { return c ^ byte(0x3C+7*(i%4)) })
	for _, at := range []int{0, 1, 32<<10 - 9, 1<<20 + 5, len(b) - 16} {
		in := bytes.Clone(b)
		copy(in[at:], x)
		for name, f := range map[string]layer.Finder{"full": full, "quick": quick} {
			if got := best(f, in)[0]; got.Bits != 128 || got.Offset != at {
				t.Errorf("%s, at %d: %d bits at %d", name, at, got.Bits, got.Offset)
			}
		}
	}
}

// What costs little is done whatever the grade.
func TestEveryGradeSeesWhatCostsLittle(t *testing.T) {
	g := random(6)
	by := algebra.Grades([]secret.Secret{g.Secret})
	for name, hidden := range map[string][]byte{
		"a key of seven": each(g.raw, func(i int, c byte) byte { return c ^ byte(0x3C+29*(i%7)) }),
		"a substitution": each([]byte(g.lower), func(_ int, c byte) byte { return c*7 + 3 }),
	} {
		in := append(noise(13, 300), append(hidden, noise(14, 300)...)...)
		for grade, f := range map[string]layer.Finder{"full": by.Full, "decoded": by.Decoded, "selected": by.Selected} {
			if got := best(f, in)[0]; got.Bits < 100 || got.Offset != 300 {
				t.Errorf("%s, %s: %d bits at %d", name, grade, got.Bits, got.Offset)
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	for i, e := range encodings() {
		if i%7 == 0 {
			f.Add(e.encode(random(1)))
		}
	}
	for _, b := range plain() {
		f.Add(b[:300])
	}
	find := algebra.New([]secret.Secret{random(1).Secret, random(2).Secret, secret.New([]byte("a password of words, 7"), nil)})
	for _, b := range layertest.Hostile() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		layertest.Finder(t, find, b, layertest.Found{Secrets: 3, Least: 48, Most: 176})
	})
}
