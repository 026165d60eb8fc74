package scan_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"postern/observers/canary/container"
	"postern/observers/canary/layer"
	"postern/observers/canary/scan"
	"postern/observers/canary/secret"
)

var random = rand.New(rand.NewPCG(5, 5))

func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

func words(n int) []byte {
	b := noise(n)
	for i := range b {
		b[i] = " etaoin shrdlu cmfwyp vbgkqj xz.\n"[b[i]&31]
	}
	return b
}

// mint returns n secrets, and the text of each.
func mint(n int) (all []secret.Secret, texts [][]byte) {
	for range n {
		raw := noise(16)
		text := []byte(hex.EncodeToString(raw))
		all, texts = append(all, secret.New(text, raw)), append(texts, text)
	}
	return all, texts
}

// literally is the one finder that the tests of the search itself need.
func literally(secrets []secret.Secret) ([]layer.Finder, error) {
	return []layer.Finder{literal(secrets)}, nil
}

func scanner(t testing.TB, secrets []secret.Secret, o scan.Options) *scan.Scanner {
	t.Helper()
	if o.Parts == nil {
		o.Parts = small()
	}
	if o.Finders == nil {
		o.Finders = literally
	}
	s, err := scan.New(secrets, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLayersAreNamedFromTheOutermost(t *testing.T) {
	secrets, texts := mint(2)
	reversed := bytes.Clone(texts[0])
	slices.Reverse(reversed)
	framed := func(b []byte) []byte { return slices.Concat(words(500), []byte(" "), b, []byte(" ")) }
	for _, c := range []struct {
		want string
		in   []byte
	}{
		{"plain", texts[0]},
		{"run/plain", to64(texts[0])},
		{"gzip/plain", zip(framed(texts[0]))},
		{"gzip/run/run/plain", zip(framed(to64(toHex(texts[0]))))},
		{"gzip/run/gzip/plain", zip(framed(to64(zip(framed(texts[0])))))},
		{"gzip/reversed/plain", zip(framed(reversed))},
	} {
		want, b := c.want, c.in
		in := slices.Concat(words(999), []byte(" "), b, []byte(" "), words(1000))
		got := scanner(t, secrets, scan.Options{}).Bytes(t.Context(), in)
		i := slices.IndexFunc(got.Hits, func(h scan.Hit) bool { return h.Technique == want })
		if i < 0 {
			t.Errorf("%s: not among %v", want, got.Hits)
			continue
		}
		if h := got.Hits[i]; h.Secret != 0 || h.Bits != 128 || h.Class != scan.Certain || h.Offset != 1000 {
			t.Errorf("%s: %+v", want, h)
		}
	}
}

func TestEverySecretIsFoundWhateverElseIs(t *testing.T) {
	secrets, texts := mint(50)
	in := bytes.Repeat(texts[0], 100)
	for _, text := range texts[1:] {
		in = append(in, zip(text)...)
	}
	got := scanner(t, secrets, scan.Options{}).Bytes(t.Context(), in)
	found := map[int]int{}
	for _, h := range got.Hits {
		found[h.Secret]++
	}
	if len(found) != 50 || len(got.Hits) > 16*50 {
		t.Errorf("%d of 50 secrets, %d hits", len(found), len(got.Hits))
	}
}

func TestNothingIsCleanAndDecoysAreCountedApart(t *testing.T) {
	secrets, _ := mint(3)
	_, others := mint(100)
	in := slices.Concat(noise(10000), bytes.Join(others, []byte("\n")), zip(bytes.Join(others, nil)), words(10000))
	got := scanner(t, secrets, scan.Options{Decoys: 100}).Bytes(t.Context(), in)
	if !reflect.DeepEqual(got, scan.Result{}) {
		t.Errorf("%+v", got)
	}
	all := func([]secret.Secret) ([]layer.Finder, error) {
		return []layer.Finder{layer.NewFinder(func(b []byte, yield func(layer.Match) bool) {
			for n := range 10 {
				yield(layer.Match{Secret: n, Technique: "plain", Bits: 128})
			}
		})}, nil
	}
	got = scanner(t, secrets, scan.Options{Decoys: 7, Finders: all}).Bytes(t.Context(), []byte("anything"))
	if len(got.Hits) != 3 || got.False != 7 {
		t.Errorf("%d hits, %d false", len(got.Hits), got.False)
	}
}

// matches is a finder that says the same of any bytes.
func matches(all ...layer.Match) func([]secret.Secret) ([]layer.Finder, error) {
	return func([]secret.Secret) ([]layer.Finder, error) {
		return []layer.Finder{layer.NewFinder(func(b []byte, yield func(layer.Match) bool) {
			for _, m := range all {
				if !yield(m) {
					return
				}
			}
		})}, nil
	}
}

func TestABetterClassReplacesAPart(t *testing.T) {
	secrets, _ := mint(1)
	part := layer.Match{Technique: "part", Bits: 48, Offset: 5}
	whole := layer.Match{Technique: "whole", Bits: 126, Offset: 9}
	half := layer.Match{Technique: "half", Bits: 64, Offset: 19}
	least := layer.Match{Technique: "part", Bits: 20, Offset: 5}
	for name, c := range map[string]struct {
		in   []layer.Match
		want string
	}{
		"a part":             {[]layer.Match{part}, "part 48 5 partial"},
		"twice":              {[]layer.Match{part, {Technique: "part", Bits: 52, Offset: 7}}, "part 52 7 partial"},
		"a part and a whole": {[]layer.Match{part, whole, part}, "whole 126 9 certain"},
		"half and a whole":   {[]layer.Match{half, whole, part}, "whole 126 9 certain, half 64 19 strong"},
		"the same place":     {[]layer.Match{half, {Technique: "whole", Bits: 128, Offset: 19}}, "whole 128 19 certain"},
		"too little":         {[]layer.Match{least}, ""},
	} {
		got := scanner(t, secrets, scan.Options{Finders: matches(c.in...), Parts: []scan.Part{}}).Bytes(t.Context(), words(1000))
		var lines []string
		for _, h := range got.Hits {
			lines = append(lines, fmt.Sprint(h.Technique, " ", h.Bits, " ", h.Offset, " ", h.Class))
		}
		if text := strings.Join(lines, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

func TestTheResultIsTheSameOnAnyNumberOfCores(t *testing.T) {
	secrets, texts := mint(4)
	in := words(400_000)
	for n := range 200 {
		in = append(in, zip(append(words(n*50), to64(texts[n%4])...))...)
	}
	for _, base := range []int{1, 100_000, 1 << 20} {
		o := scan.Options{Base: base, PerByte: 1, Memory: 1 << 20, Workers: 1}
		want := scanner(t, secrets, o).Bytes(t.Context(), in)
		o.Workers = 7
		for range 3 {
			if got := scanner(t, secrets, o).Bytes(t.Context(), in); !reflect.DeepEqual(got, want) {
				t.Errorf("base %d: %v, then %v", base, want, got)
			}
		}
	}
}

func TestTimeIsToldWhenItIsOver(t *testing.T) {
	secrets, _ := mint(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := scanner(t, secrets, scan.Options{}).Bytes(ctx, words(1000))
	if !slices.Equal(got.Unproven, []scan.Reason{scan.Time}) {
		t.Errorf("%+v", got)
	}
}

func TestABrokenStageIsTold(t *testing.T) {
	secrets, texts := mint(1)
	broken := append(small(), scan.Part{Stage: layer.Stage{Technique: "broken", Open: func(b []byte, _ *layer.Room, _ func(layer.View) bool) {
		panic(string(b))
	}}})
	got := scanner(t, secrets, scan.Options{Parts: broken}).Bytes(t.Context(), zip(texts[0]))
	if len(got.Hits) == 0 || !slices.Equal(got.Unproven, []scan.Reason{scan.Failed}) {
		t.Errorf("%+v", got)
	}
}

func TestNoSecretIsAnError(t *testing.T) {
	if _, err := scan.New(nil, scan.Options{}); err == nil {
		t.Error("accepted")
	}
}

func TestReadersOfAnyLength(t *testing.T) {
	secrets, texts := mint(1)
	o := scan.Options{Whole: 5000, Window: 1000}
	for at := 0; at < 9000; at += 61 {
		in := slices.Concat(words(at), texts[0], words(9000-at))
		got, n, err := scanner(t, secrets, o).Read(t.Context(), bytes.NewReader(in))
		if err != nil || n != int64(len(in)) {
			t.Fatalf("%d of %d bytes, %v", n, len(in), err)
		}
		i := slices.IndexFunc(got.Hits, func(h scan.Hit) bool { return h.Technique == "plain" })
		if i < 0 || got.Hits[i].Offset != int64(at) {
			t.Errorf("at %d: %v", at, got.Hits)
		}
	}
}

// Read tells of an input that is a torn compression; of a piece nothing is known
// but that it is one.
func TestATornInputIsTold(t *testing.T) {
	secrets, texts := mint(1)
	packed := zip(slices.Concat(noise(3000), texts[0]))
	s := scanner(t, secrets, scan.Options{})
	for n, torn := range map[int]layer.Technique{len(packed): "", len(packed) - 1: container.Gzip, 100: container.Gzip} {
		got, _, err := s.Read(t.Context(), bytes.NewReader(packed[:n]))
		if err != nil || got.Torn != torn || slices.Contains(got.Unproven, scan.Torn) != (torn != "") {
			t.Errorf("%d bytes of %d: %+v, %v", n, len(packed), got, err)
		}
	}
	if got := s.Bytes(t.Context(), packed[:100]); slices.Contains(got.Unproven, scan.Torn) || got.Torn != "" {
		t.Errorf("a piece: %+v", got)
	}
	long := scanner(t, secrets, scan.Options{Whole: 2000, Window: 1000})
	if got, _, err := long.Read(t.Context(), bytes.NewReader(packed)); err != nil || got.Torn != container.Gzip {
		t.Errorf("a layer that goes on beyond its window: %+v, %v", got, err)
	}
}
