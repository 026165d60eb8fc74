package layertest

import (
	"bytes"
	"cmp"
	"slices"

	"postern/observers/canary/layer"
)

// Found are the bounds of a finder's matches.
type Found struct {
	Secrets int
	Least   int // bits
	Most    int
}

// Finder searches b with a finder, a few times, and fails where a promise is
// broken.
func Finder(t TB, f layer.Finder, b []byte, o Found) {
	t.Helper()
	kept := bytes.Clone(b)
	first := matches(f, b)
	for _, m := range first {
		if m.Secret < 0 || m.Secret >= o.Secrets || m.Offset < 0 || m.Offset >= len(b) || m.Bits < o.Least || m.Bits > o.Most {
			t.Fatalf("%s: %d bits of secret %d at %d of %d", m.Technique, m.Bits, m.Secret, m.Offset, len(b))
		}
	}
	if !slices.Equal(first, matches(f, b)) {
		t.Fatalf("other matches the second time")
	}
	for _, enough := range []int{1, len(first)/2 + 1} {
		calls := 0
		f.Find(b, func(layer.Match) bool { calls++; return calls < enough })
		if calls > enough {
			t.Fatalf("%d matches after the receiver had enough", calls-enough)
		}
	}
	if !bytes.Equal(b, kept) {
		t.Fatalf("a finder changed its input")
	}
}

// matches are in the order of a sort: a finder promises none.
func matches(f layer.Finder, b []byte) []layer.Match {
	var all []layer.Match
	f.Find(b, func(m layer.Match) bool { all = append(all, m); return true })
	slices.SortFunc(all, compare)
	return all
}

func compare(a, b layer.Match) int {
	return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Secret, b.Secret), cmp.Compare(a.Technique, b.Technique), cmp.Compare(a.Bits, b.Bits))
}
