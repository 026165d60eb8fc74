package scan_test

import (
	"bytes"

	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// literal finds text in its own case and the bytes that it spells.
func literal(secrets []secret.Secret) layer.Finder {
	return layer.NewFinder(func(b []byte, yield func(layer.Match) bool) {
		for n, s := range secrets {
			if !each(b, s.Text(), layer.Match{Secret: n, Technique: "plain", Bits: s.Bits()}, yield) ||
				!each(b, s.Raw(), layer.Match{Secret: n, Technique: "raw", Bits: s.Bits()}, yield) {
				return
			}
		}
	})
}

func each(b, text []byte, m layer.Match, yield func(layer.Match) bool) bool {
	if len(text) == 0 {
		return true
	}
	for at := 0; ; {
		i := bytes.Index(b[at:], text)
		if i < 0 {
			return true
		}
		m.Offset = at + i
		if !yield(m) {
			return false
		}
		at += i + len(text)
	}
}
