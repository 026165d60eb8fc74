// Package secret holds what is looked for in a type that nothing prints.
package secret

import "bytes"

// Secret is one text to look for, and the bytes that it spells where it is
// hexadecimal. However it is printed, it reads "[canary]".
type Secret struct {
	Redacted
	text, raw func() []byte
}

// New keeps copies. Raw is nil where the text spells nothing.
func New(text, raw []byte) Secret {
	text, raw = bytes.Clone(text), bytes.Clone(raw)
	return Secret{text: func() []byte { return text }, raw: func() []byte { return raw }}
}

// Text is the secret as it was written. The caller does not change it.
func (s Secret) Text() []byte {
	if s.text == nil {
		return nil
	}
	return s.text()
}

// Raw is what the hexadecimal digits spell, or nil. The caller does not change it.
func (s Secret) Raw() []byte {
	if s.raw == nil {
		return nil
	}
	return s.raw()
}

// Bits is how much there is to be recovered: four a digit where the text spells
// bytes, and eight a byte of any other text.
func (s Secret) Bits() int {
	if raw := s.Raw(); len(raw) > 0 {
		return 8 * len(raw)
	}
	return 8 * len(s.Text())
}
