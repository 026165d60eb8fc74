// Package frame is the strict decoder of agent frames.
//
// A frame is one line of untrusted bytes, ended by LF alone, that holds exactly
// {"operation": string, "arguments": object}. It promises that every JSON reader
// that comes after it sees the same frame: whatever two readers might take in
// two ways (keys twice or in another case, numbers out of range, NUL, text that
// is not Unicode) is refused with a closed word, never repaired. Work and memory
// are bounded by Limits.
//
// Weakness takes checks away for mutants; nothing of the gateway uses it.
//
// It does not know the operations, and it does not judge what the arguments say.
package frame

import "github.com/go-json-experiment/json/jsontext"

// Defaults and maxima of Limits.
const (
	DefaultBytes = 64 << 10
	DefaultDepth = 16
	MaxBytes     = 4 << 20
	MaxDepth     = 128

	maxOperation = 64 // bytes of an operation
)

// Limits bound one frame. A field outside 1..maximum counts as its default, so
// that no value switches a check off.
type Limits struct {
	Bytes int // of the line, without its LF
	Depth int // of nested objects and arrays; the frame itself is the first
}

// Call is one accepted frame. It shares no memory with the bytes it came from.
type Call struct {
	Operation string         // 1..64 bytes
	Arguments jsontext.Value // an object, checked to its leaves, as the agent spelt it
}

// Decode reads one frame from a line without its LF. The error is a *Refusal.
//
// Where several refusals apply: first the size, then what the bytes alone show
// (bom, carriage-return, line feed, nul, invalid-utf8, then escapes and depth as
// they come), then the grammar in the order of the bytes, then missing-key.
func Decode(line []byte, l Limits) (Call, error) {
	return new(decoder).decode(line, l.effective())
}

func (l Limits) effective() Limits {
	if l.Bytes < 1 || l.Bytes > MaxBytes {
		l.Bytes = DefaultBytes
	}
	if l.Depth < 1 || l.Depth > MaxDepth {
		l.Depth = DefaultDepth
	}
	return l
}
