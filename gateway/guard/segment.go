package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const readable = 24 // characters of a server's name that a person recognises

// Segment turns a server's name into one part of a path: letters, digits and
// dashes alone, so that it leads nowhere else, and with 128 bits of the name's
// SHA-256, so that no two names share it, not even where case is folded.
func Segment(server string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(server) {
		switch {
		case b.Len() == readable:
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteRune(c)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	sum := sha256.Sum256([]byte(server))
	return strings.Trim(b.String(), "-") + "-" + hex.EncodeToString(sum[:16])
}
