package gateway

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxArgument bounds one argument, in bytes of its text.
const maxArgument = 32 << 10

// parseArguments accepts an object with exactly the arguments of a tool, all
// of them texts. The frame decoder has refused names that stand twice; this
// refuses them again, because a call need not have come from there.
func parseArguments(t Tool, raw jsontext.Value) (map[string]string, bool) {
	var texts map[string]*string // a null is a nil pointer, not an empty text
	if raw.Kind() != jsontext.KindBeginObject || json.Unmarshal(raw, &texts) != nil {
		return nil, false
	}
	if len(texts) != len(t.Arguments) {
		return nil, false
	}
	out := make(map[string]string, len(texts))
	for argument, text := range texts {
		if text == nil || len(*text) > maxArgument || !slices.Contains(t.Arguments, argument) {
			return nil, false
		}
		out[argument] = *text
	}
	return out, true
}
