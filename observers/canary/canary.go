// Package canary mints the synthetic secrets that the agent holds, and finds
// them again in bytes that arrived somewhere.
//
// It promises that a canary is printed by nothing: its digits leave through
// Reveal alone. A Watch finds every form that package forms lists, at any
// offset, in any division into chunks, exactly once. It does not find what is
// not listed: ciphers, XOR with a constant, what was compressed or encoded twice
// over, and a canary that was split up. For those there is Deep, which is a
// thousand times slower and for few canaries.
package canary

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"

	"postern/fixtures/channel"
	"postern/observers/canary/secret"
)

// Size is the length of a canary in bytes; its text has twice as many digits.
const Size = 16

// Key is the secret of one run, from which all its canaries derive. It is
// never written. The zero Key mints nothing.
type Key struct {
	secret.Redacted
	secret func() [32]byte // a func, because no printer looks inside one
}

// NewKey returns a random key.
func NewKey() Key {
	var k [32]byte
	rand.Read(k[:]) // never fails: crypto/rand ends the program instead
	return Key{secret: func() [32]byte { return k }}
}

// Mint derives the canary of one channel in one trial: HMAC-SHA256 cut to 128
// bits. The zero Key gives the zero Canary, which no Watch accepts.
func (k Key) Mint(trial string, ch channel.ID) Canary {
	if k.secret == nil {
		return Canary{}
	}
	secret := k.secret()
	mac := hmac.New(sha256.New, secret[:])
	// The length keeps ("ab", "c") and ("a", "bc") apart.
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(trial))))
	mac.Write([]byte(trial))
	mac.Write([]byte(ch))
	return of([Size]byte(mac.Sum(nil)))
}

// Canary is one synthetic secret. However it is printed, it reads "[canary]".
type Canary struct {
	secret.Redacted
	raw func() [Size]byte
}

func of(raw [Size]byte) Canary {
	return Canary{raw: func() [Size]byte { return raw }}
}

// errText does not quote the text: it may be half a canary.
var errText = errors.New("text is not 32 lower-case hexadecimal digits")

// Parse returns the canary with that text: 32 lower-case hexadecimal digits,
// not all zero.
func Parse(text string) (Canary, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != Size || hex.EncodeToString(raw) != text || [Size]byte(raw) == [Size]byte{} {
		return Canary{}, errText
	}
	return of([Size]byte(raw)), nil
}

// secret is the canary as the searches know it.
func (c Canary) secret() secret.Secret {
	raw := c.raw()
	return secret.New([]byte(c.Reveal()), raw[:])
}

// Reveal returns the text, 32 lower-case hexadecimal digits, or "" for the
// zero Canary. It is the one way out: call it only to plant.
func (c Canary) Reveal() string {
	if c.raw == nil {
		return ""
	}
	raw := c.raw()
	return hex.EncodeToString(raw[:])
}
