package canary

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"postern/fixtures/channel"
	"postern/observers/canary/layer"
)

// crowd is as many canaries as some trials mint.
func crowd(n int) []Entry {
	key := NewKey()
	entries := make([]Entry, n)
	for i := range entries {
		entries[i] = Entry{channel.NetTCP4, key.Mint(fmt.Sprint(i), channel.NetTCP4)}
	}
	return entries
}

func indexOf(tb testing.TB, entries []Entry) *Index {
	tb.Helper()
	x, err := NewIndex(entries)
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

func matches(x *Index, b []byte) (all []layer.Match) {
	x.Finder().Find(b, func(m layer.Match) bool {
		all = append(all, m)
		return true
	})
	return all
}

func chance(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// Every usual form is found, wherever it stands, and told where it is.
func TestAnIndexFindsTheUsualForms(t *testing.T) {
	entries := crowd(300)
	x := indexOf(t, entries)
	r := rand.New(rand.NewPCG(1, 2))
	for i, e := range entries {
		for _, f := range usualForms(e.Canary) {
			before := r.IntN(40)
			b := slices.Concat(chance(r, before), f.text, chance(r, r.IntN(40)))
			got := matches(x, b)
			at := slices.IndexFunc(got, func(m layer.Match) bool { return m.Secret == i && m.Bits >= 8*(Size-2) })
			if at < 0 {
				t.Fatalf("number %d: a form of %d bytes is not found", i, len(f.text))
			}
			if off := got[at].Offset; off < before-1 || off > before+2 {
				t.Fatalf("number %d: a form at %d is told to be at %d", i, before, off)
			}
		}
	}
}

func TestAnIndexFindsHalfACanary(t *testing.T) {
	entries := crowd(50)
	x := indexOf(t, entries)
	for i, e := range entries {
		raw := e.Canary.raw()
		half := raw[i%9 : i%9+8]
		for name, b := range map[string][]byte{"raw": half, "hex": []byte(hex.EncodeToString(half)), "base64": []byte(base64.StdEncoding.EncodeToString(half))} {
			if got := matches(x, b); len(got) == 0 || got[0].Secret != i || got[0].Bits != 64 {
				t.Errorf("%s of number %d: %d matches", name, i, len(got))
			}
			if got := matches(x, b[1:]); len(got) != 0 {
				t.Errorf("%s of number %d: found in less than half", name, i)
			}
		}
	}
}

func TestAnIndexFindsNothingInNoise(t *testing.T) {
	x := indexOf(t, crowd(70_000))
	r := rand.New(rand.NewPCG(3, 4))
	noise := chance(r, 1<<20)
	for name, b := range map[string][]byte{"noise": noise, "base64": []byte(base64.StdEncoding.EncodeToString(noise)), "hex": []byte(hex.EncodeToString(noise)), "zeros": make([]byte, 1<<16)} {
		if got := matches(x, b); len(got) != 0 {
			t.Errorf("%s: %d matches", name, len(got))
		}
	}
}

func TestAnIndexOfNothingIsAnError(t *testing.T) {
	if _, err := NewIndex(nil); err == nil {
		t.Error("an index took an empty set")
	}
	if _, err := NewIndex([]Entry{{ID: channel.NetTCP4}}); err == nil {
		t.Error("an index took the zero canary")
	}
}

// Whatever stands around it, a canary is found, and the search stops when told.
func FuzzIndex(f *testing.F) {
	entries := crowd(3)
	x := indexOf(f, entries)
	f.Add([]byte("abc"), []byte{1, 2, 3}, uint8(0))
	f.Add([]byte("a\x00b\x00"), []byte("=="), uint8(7))
	f.Fuzz(func(t *testing.T, before, after []byte, form uint8) {
		fs := usualForms(entries[1].Canary)
		text := fs[int(form)%len(fs)].text
		b := slices.Concat(before, text, after)
		found := false
		for _, m := range matches(x, b) {
			if m.Offset < 0 || m.Offset >= len(b) || m.Bits < 64 || m.Bits > 8*Size {
				t.Fatalf("%d bits at %d of %d bytes", m.Bits, m.Offset, len(b))
			}
			found = found || m.Secret == 1
		}
		if !found {
			t.Fatal("not found")
		}
		calls := 0
		x.Finder().Find(b, func(layer.Match) bool { calls++; return false })
		if calls != 1 {
			t.Fatalf("%d matches after the receiver had enough", calls-1)
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	x := indexOf(b, crowd(70_000))
	r := rand.New(rand.NewPCG(3, 4))
	for name, data := range map[string][]byte{"noise": chance(r, 4<<20), "base64": []byte(base64.StdEncoding.EncodeToString(chance(r, 3<<20)))} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				matches(x, data)
			}
		})
	}
}
