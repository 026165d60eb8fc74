package fragment

import (
	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// PiecesOf counts the pieces of k digits or more that the finder keeps, whatever
// they are worth.
func PiecesOf(secrets []secret.Secret, b []byte, k int) int {
	f := build(secrets)
	s := &search{finder: f, b: b, yield: func(layer.Match) bool { return true }}
	s.pass(f.four, 1)
	n := 0
	for _, p := range s.pieces {
		if p.hi-p.lo >= k {
			n++
		}
	}
	return n
}
