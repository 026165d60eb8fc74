package frame_test

import (
	"bytes"
	stdjson "encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"postern/gateway/frame"
)

func seed(f *testing.F) {
	for _, r := range refusals {
		if len(r.line) < 4096 {
			f.Add([]byte(r.line))
		}
	}
	f.Add([]byte(with(`{"text":"\ud83d\ude00 \\u0000","n":[0,-1.5,9007199254740992],"o":{"k":null}}`)))
	f.Add([]byte(with(`{}`) + "\n" + with(`{"a":"`+"\u2028"+`"}`) + "\n"))
}

// What Decode accepts means the same to a strict reader, to a lax one, and when
// it is written again; what it refuses has a code of the vocabulary.
func FuzzDecode(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := frame.Decode(line, frame.Limits{})
		if err != nil {
			if !slices.Contains(frame.Codes(), codeOf(err)) {
				t.Fatal("refused without a code")
			}
			return
		}
		type wire struct {
			Operation string         `json:"operation"`
			Arguments jsontext.Value `json:"arguments"`
		}
		again, err := json.Marshal(wire{c.Operation, c.Arguments})
		if err != nil {
			t.Fatal("an accepted frame cannot be written")
		}
		c2, err := frame.Decode(again, frame.Limits{Bytes: frame.MaxBytes})
		if err != nil || c2.Operation != c.Operation || !sameValue(t, c.Arguments, c2.Arguments) {
			t.Fatal("an accepted frame written again reads differently")
		}
		var lax struct { // encoding/json folds case, keeps the last duplicate, repairs text
			Operation string             `json:"operation"`
			Arguments stdjson.RawMessage `json:"arguments"`
		}
		if stdjson.Unmarshal(line, &lax) != nil || lax.Operation != c.Operation || !bytes.Equal(lax.Arguments, c.Arguments) {
			t.Fatal("a lax reader reads an accepted frame differently")
		}
	})
}

func sameValue(t *testing.T, a, b jsontext.Value) bool {
	t.Helper()
	a, b = a.Clone(), b.Clone()
	if a.Canonicalize() != nil || b.Canonicalize() != nil {
		t.Fatal("accepted arguments have no canonical form")
	}
	return bytes.Equal(a, b)
}

// A Reader ends, within its bound, and alike however its stream is split.
func FuzzReader(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, stream []byte) {
		l := frame.Limits{Bytes: 256}
		whole, err := drain(frame.NewReader(bytes.NewReader(stream), l))
		split, err2 := drain(frame.NewReader(iotest.OneByteReader(bytes.NewReader(stream)), l))
		if whole != split || codeOf(err) != codeOf(err2) {
			t.Fatal("the frames depend on how the stream is split")
		}
		lines := strings.SplitAfter(string(stream), "\n")
		for i := range whole {
			if _, err := frame.Decode([]byte(strings.TrimSuffix(lines[i], "\n")), l); err != nil {
				t.Fatal("Reader accepts what Decode refuses")
			}
		}
	})
}
