package scan

import (
	"encoding/hex"
	"math/rand/v2"

	"postern/observers/canary/secret"
)

// decoys are n secrets that nobody planted, of the same shapes as the real
// ones: each letter and digit is drawn anew, and a prefix stays.
func decoys(real []secret.Secret, n int) []secret.Secret {
	var out []secret.Secret
	for i := range n {
		out = append(out, decoy(real[i%len(real)]))
	}
	return out
}

func decoy(like secret.Secret) secret.Secret {
	text := append([]byte{}, like.Text()...)
	if raw := like.Raw(); len(raw) > 0 && 2*len(raw) <= len(text) {
		raw = make([]byte, len(raw))
		for i := range raw {
			raw[i] = byte(rand.Uint32())
		}
		hex.Encode(text[len(text)-2*len(raw):], raw)
		return secret.New(text, raw)
	}
	for i, c := range text {
		text[i] = another(c)
	}
	return secret.New(text, nil)
}

// another draws a character of the same kind.
func another(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return '0' + byte(rand.IntN(10))
	case 'a' <= c && c <= 'z':
		return 'a' + byte(rand.IntN(26))
	case 'A' <= c && c <= 'Z':
		return 'A' + byte(rand.IntN(26))
	}
	return c
}
