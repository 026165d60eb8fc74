package frame

import (
	"bytes"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Weakness takes checks of the decoder away, for mutants: each is what some
// reader of JSON lines does. The zero value is strict.
type Weakness struct {
	LastDuplicate   bool // the last of two equal keys counts
	FoldedKeys      bool // "Operation" is taken for "operation"
	CaseVariants    bool // keys of the arguments may differ in case alone
	UnknownKeys     bool // a third key is ignored
	RepairedUTF8    bool // bytes that are not UTF-8 become U+FFFD
	LoneSurrogates  bool // half of an escaped surrogate pair is passed on
	KeptNUL         bool // an escaped NUL is text
	AnyDepth        bool // nesting has no bound
	AnyNumber       bool // numbers are passed on, whatever float64 makes of them
	OneByteMore     bool // of a line than Limits.Bytes
	ByteOrderMark   bool // at the start of a line it is skipped
	TrailingBytes   bool // what follows the object on its line is ignored
	Batches         bool // the elements of an array are frames
	CarriageReturns bool // CR ends a line too
	LineSeparators  bool // U+2028 ends a line too, wherever it stands
}

// NewWeakReader is NewReader with some checks taken away. Nothing of the gateway
// calls it: it is for the harness, and a test keeps it there.
func NewWeakReader(r io.Reader, l Limits, w Weakness) *Reader {
	out := NewReader(r, l)
	out.decoder.weak = w
	if w.OneByteMore {
		out.limits.Bytes++
	}
	if w.AnyDepth {
		out.limits.Depth = MaxBytes
	}
	return out
}

// frame is the next line, or the next piece of a line that has several.
func (r *Reader) frame() ([]byte, error) {
	if len(r.pieces) == 0 {
		line, err := r.line()
		if err != nil || r.decoder.weak == (Weakness{}) {
			return line, err
		}
		r.pieces = r.decoder.weak.split(line)
	}
	piece := r.pieces[0]
	r.pieces = r.pieces[1:]
	return piece, nil
}

// split is a line in pieces, of which there is one at least.
func (w Weakness) split(line []byte) [][]byte {
	pieces := [][]byte{line}
	switch {
	case w.CarriageReturns:
		pieces = bytes.Split(bytes.TrimSuffix(line, []byte("\r")), []byte("\r"))
	case w.LineSeparators:
		pieces = bytes.Split(line, []byte("\u2028"))
	case w.Batches:
		var elements []jsontext.Value
		if json.Unmarshal(line, &elements) == nil && len(elements) > 0 {
			pieces = nil
			for _, e := range elements {
				pieces = append(pieces, e)
			}
		}
	}
	return pieces
}

// repair rewrites a line before it is looked at.
func (w Weakness) repair(line []byte) []byte {
	if w.ByteOrderMark {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	if w.RepairedUTF8 {
		line = bytes.ToValidUTF8(line, []byte("\ufffd"))
	}
	return line
}

// options are those of the parser. None is strict.
func (w Weakness) options() []jsontext.Options {
	var out []jsontext.Options
	if w.LastDuplicate {
		out = append(out, jsontext.AllowDuplicateNames(true))
	}
	if w.LoneSurrogates {
		out = append(out, jsontext.AllowInvalidUTF8(true))
	}
	return out
}

// known is the frame's own key that a key is taken for.
func (w Weakness) known(key string) string {
	switch {
	case !w.FoldedKeys:
		return key
	case strings.EqualFold(key, keyOperation):
		return keyOperation
	case strings.EqualFold(key, keyArguments):
		return keyArguments
	}
	return key
}
