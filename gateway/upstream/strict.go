package upstream

import (
	"bytes"
	"errors"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// strict is the server's output as far as it is in order: UTF-8, and a JSON object
// a line. The protocol library would put another character in the place of a byte
// that is no text, and take batches, which the protocol has given up.
type strict struct {
	io.Closer
	text   io.Reader
	inside bool // of a line that begins with an object
}

func newStrict(r io.ReadCloser, a *asides) io.ReadCloser {
	return &strict{Closer: r, text: transform.NewReader(&sieve{ReadCloser: r, aside: a}, validator{aside: a})}
}

// validator stops at bytes that are no text, unless lines with such are passed on.
type validator struct {
	transform.NopResetter
	aside *asides
}

func (v validator) Transform(dst, src []byte, atEOF bool) (int, int, error) {
	if v.aside.is(BrokenText) {
		return transform.Nop.Transform(dst, src, atEOF)
	}
	return encoding.UTF8Validator.Transform(dst, src, atEOF)
}

// Read ends with an error in front of the first line that is no object.
func (s *strict) Read(p []byte) (int, error) {
	n, err := s.text.Read(p)
	for i, b := range p[:n] {
		switch {
		case b == '\n':
			s.inside = false
		case s.inside || bytes.IndexByte([]byte(" \t\r"), b) >= 0:
		case b != '{':
			return i, errors.New("a line of the tool server's is no object")
		default:
			s.inside = true
		}
	}
	return n, err
}
