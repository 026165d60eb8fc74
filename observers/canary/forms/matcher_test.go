package forms_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/onsi/gomega/format"

	"postern/observers/canary/forms"
	"postern/observers/canary/layer/layertest"
	"postern/observers/canary/secret"
)

// dealt is a form with the case of its letters changed where that is ignored.
func dealt(r *rand.Rand, f forms.Form) []byte {
	b := bytes.Clone(f.Text)
	for i := range b {
		if f.Fold && b[i] >= 'a' && b[i] <= 'z' && r.IntN(2) == 0 {
			b[i] -= 'a' - 'A'
		}
	}
	return b
}

func TestEveryFormIsFoundAtEveryPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for name, s := range map[string]secret.Secret{
		"digits": secretOf(r, ""), "prefixed": secretOf(r, "run-7-"), "short": secret.New([]byte("Tr0ub4d."), nil),
		"of fifteen": secret.New([]byte("correct horse b"), nil), "long": secret.New([]byte(strings.Repeat("0a9Z~", 40)), nil),
	} {
		m := matcher(t, secretOf(r, ""), s)
		for _, f := range forms.Of(s) {
			for at := range 11 {
				b := slices.Concat(noise(r, at), dealt(r, f), noise(r, r.IntN(3)*r.IntN(20)))
				got := m.Find(nil, b)
				if !slices.ContainsFunc(got, func(h forms.Hit) bool {
					return h.Secret == 1 && h.Offset == int64(at) && h.Length == len(f.Text) && h.Bits <= s.Bits() && h.Bits > 0
				}) {
					t.Errorf("%s: a form by %s of %d bytes was not found at %d", name, f.Technique, len(f.Text), at)
				}
			}
			if len(f.Text) > m.Longest() {
				t.Errorf("%s: a form by %s is longer than the longest", name, f.Technique)
			}
		}
	}
}

// Of many secrets the samples lie closer.
func TestEveryFormIsFoundAmongMany(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var all []secret.Secret
	for range 150 {
		all = append(all, secretOf(r, ""))
	}
	m := matcher(t, all...)
	for i, s := range all {
		if i%50 != 7 {
			continue
		}
		for _, f := range forms.Of(s) {
			for at := range 6 {
				b := slices.Concat(noise(r, at), dealt(r, f), noise(r, r.IntN(3)*r.IntN(20)))
				if !slices.ContainsFunc(m.Find(nil, b), func(h forms.Hit) bool {
					return h.Secret == i && h.Offset == int64(at) && h.Length == len(f.Text)
				}) {
					t.Fatalf("a form by %s of %d bytes was not found at %d", f.Technique, len(f.Text), at)
				}
			}
		}
	}
	if per := m.Memory() / len(all); per > 40<<10 {
		t.Errorf("%d bytes for each secret", per)
	}
}

// The first of many secrets has so few forms that their room is made too small.
func TestMoreFormsThanForetold(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	same := bytes.Repeat([]byte{0xaa}, 16)
	all := []secret.Secret{secret.New([]byte(hex.EncodeToString(same)), same)}
	for range 20 {
		all = append(all, secretOf(r, ""))
	}
	few, last := len(forms.Of(all[0])), forms.Of(all[20])
	if 10*few > 8*len(last) {
		t.Fatalf("%d forms are not few beside %d", few, len(last))
	}
	m := matcher(t, all...)
	for _, f := range last {
		if !slices.ContainsFunc(m.Find(nil, f.Text), func(h forms.Hit) bool { return h.Secret == 20 }) {
			t.Fatalf("a form by %s was not found", f.Technique)
		}
	}
}

// What a form shows of a secret bounds how often bytes are taken for it by
// chance.
func TestAFormShowsMostOfASecret(t *testing.T) {
	for _, f := range forms.Of(secretOf(rand.New(rand.NewPCG(1, 9)), "")) {
		if f.Bits < 100 {
			t.Errorf("a form by %s shows %d bits", f.Technique, f.Bits)
		}
	}
}

func TestOverlappingFormsAreOnePlace(t *testing.T) {
	s := secret.New([]byte("Aa-Aa-Aa-Aa-"), nil)
	m := matcher(t, s, secret.New([]byte("other secret"), nil))
	for name, c := range map[string]struct {
		b    string
		want int
	}{
		"one": {"Aa-Aa-Aa-Aa-", 1}, "one shifted into the next": {"Aa-Aa-Aa-Aa-Aa-", 1}, "two": {"Aa-Aa-Aa-Aa-.Aa-Aa-Aa-Aa-", 2},
		"two that touch": {"Aa-Aa-Aa-Aa-Aa-Aa-Aa-Aa-", 1}, "two secrets": {"Aa-Aa-Aa-Aa-other secret", 2}, "none": {"Aa-Aa-Aa-Aa", 0},
	} {
		got := matches(m, []byte(c.b))
		if c.want != len(got) {
			t.Errorf("%s: %d matches, want %d", name, len(got), c.want)
		}
	}
}

// TestNoBorderWithin has a secret at each distance from the border between two
// windows of a long piece.
func TestNoBorderWithin(t *testing.T) {
	s := secret.New([]byte("Tr0ub4d.and more"), nil)
	m := matcher(t, s)
	b := make([]byte, 3<<20)
	for at := 1<<20 - 20; at < 1<<20+5; at++ {
		clear(b)
		copy(b[at:], s.Text())
		copy(b[at+1<<20:], s.Text())
		got := matches(m, b)
		if len(got) != 2 || got[0].Offset != at || got[1].Offset != at+1<<20 {
			t.Fatalf("at %d: %d matches, or elsewhere", at, len(got))
		}
	}
}

func TestDecoysAreNoHits(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var ours []secret.Secret
	for range 20 {
		ours = append(ours, secretOf(r, ""))
	}
	m := matcher(t, ours...)
	var b []byte
	for range 50 {
		for _, f := range forms.Of(secretOf(r, "canary-")) {
			b = append(append(b, dealt(r, f)...), '\n')
		}
	}
	if n := len(m.Find(nil, b)); n != 0 {
		t.Errorf("%d hits among forms of other secrets, %d bytes", n, len(b))
	}
}

func TestNothingInNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	m := matcher(t, secretOf(r, ""), secretOf(r, ""), secretOf(r, ""))
	source := rand.NewChaCha8([32]byte{4})
	buf := make([]byte, 1<<20)
	for i := range 64 {
		source.Read(buf)
		if i%2 == 1 { // as text
			buf = append(buf[:0], base64.StdEncoding.EncodeToString(buf[:3<<18])...)
		}
		if n := len(m.Find(nil, buf)); n != 0 {
			t.Fatalf("%d hits in noise", n)
		}
	}
}

func TestFindAllocatesNothingWithoutHits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := matcher(t, secretOf(r, ""), secret.New([]byte("Tr0ub4d."), nil))
	line, hits := noise(r, 512), make([]forms.Hit, 0, 8)
	with := append(bytes.Clone(line), "tr0ub4d."...)
	if n := testing.AllocsPerRun(100, func() { m.Find(nil, line); m.Find(hits, with) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWhatIsNoSecret(t *testing.T) {
	for name, all := range map[string][]secret.Secret{
		"none": nil, "zero": {{}}, "seven bytes": {secret.New([]byte("seven b"), nil)},
		"one of two": {secret.New([]byte("eight by"), nil), secret.New(nil, nil)},
	} {
		if _, err := forms.New(all); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestNothingPrintsASecret(t *testing.T) {
	s := secret.New([]byte("Tr0ub4d.and more"), nil)
	m := matcher(t, s)
	f := forms.Of(s)[0]
	out := fmt.Sprintf("%v %+v %#v %s %q %x", m, m, *m, m, m, m) + fmt.Sprintf("%v %+v %#v %s %q %x", f, f, f, f, f, f) + format.Object(m, 1)
	b, _ := json.Marshal([]any{m, f})
	out = strings.ToLower(out + string(b))
	for _, bad := range []string{"tr0ub4d", hex.EncodeToString([]byte("tr0ub4d")), hex.EncodeToString([]byte("Tr0ub4d")), "116 114", "84 114"} {
		if strings.Contains(out, bad) {
			t.Error("a secret was printed")
		}
	}
}

// equalFold reads bytes as Latin-1, so that none is invalid.
func equalFold(a, b []byte) bool {
	for i := range a {
		if a[i] != b[i] && (a[i] > 127 || b[i] > 127 || !bytes.EqualFold(a[i:i+1], b[i:i+1])) {
			return false
		}
	}
	return true
}

// naive looks for each form by itself.
func naive(fs []forms.Form, b []byte) int {
	n := 0
	for _, f := range fs {
		for i := 0; i+len(f.Text) <= len(b); i++ {
			if at := b[i : i+len(f.Text)]; bytes.Equal(at, f.Text) || f.Fold && equalFold(at, f.Text) {
				n++
			}
		}
	}
	return n
}

func FuzzFindAgreesWithNaive(f *testing.F) {
	f.Add("0123456789abcdef0123456789abcdef", []byte("around"), uint16(3), uint16(40))
	f.Add("aaaaaaaa", bytes.Repeat([]byte("a"), 40), uint16(3), uint16(0))
	f.Add("Tr0ub4d.", []byte("Tr0ub4d.Tr0ub4d."), uint16(700), uint16(7))
	f.Add("\x00\x00\x00\x00\x00\x00\x00\x00 ", make([]byte, 50), uint16(1), uint16(1))
	f.Fuzz(func(t *testing.T, text string, around []byte, which, at uint16) {
		raw, err := hex.DecodeString(text)
		if err != nil {
			raw = nil
		}
		s := secret.New([]byte(text), raw)
		fs := forms.Of(s)
		if len(text) > 300 || len(around) > 300 || len(fs) == 0 {
			return
		}
		k := int(at) % (len(around) + 1)
		b := slices.Concat(around[:k], fs[int(which)%len(fs)].Text, around[k:])
		m := matcher(t, s)
		if got, want := len(m.Find(nil, b)), naive(fs, b); got != want || want == 0 {
			t.Errorf("%d hits, want %d", got, want)
		}
	})
}

// FuzzFinder has secrets whose forms begin alike, and are each other's parts.
func FuzzFinder(f *testing.F) {
	first := secret.New([]byte("0123456789abcdef0123456789abcdef"), []byte("\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd\xef"))
	of := []secret.Secret{first, secret.New([]byte("aaaaaaaa"), nil), secret.New([]byte("aaaaaaaaaaaaaaaaa1"), nil)}
	for i, form := range forms.Of(first) {
		if i%9 == 0 {
			f.Add(slices.Concat(form.Text, form.Text))
		}
	}
	f.Add(bytes.Repeat([]byte("a"), 400))
	for _, b := range layertest.Hostile() {
		f.Add(b)
	}
	find := matcher(f, of...).Finder()
	f.Fuzz(func(t *testing.T, b []byte) {
		layertest.Finder(t, find, b, layertest.Found{Secrets: len(of), Least: 1, Most: 144})
	})
}
