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
func parseArguments(t Tool, raw jsontext.Value, w Weakness) (map[string]string, bool) {
	var values map[string]jsontext.Value
	if raw.Kind() != jsontext.KindBeginObject || json.Unmarshal(raw, &values) != nil {
		return nil, false
	}
	if len(values) != len(t.Arguments) && !w.ArgumentsUncounted {
		return nil, false
	}
	out := make(map[string]string, len(values))
	for argument, value := range values {
		if !slices.Contains(t.Arguments, argument) && !w.ArgumentsUnnamed {
			return nil, false
		}
		text, ok := w.text(value)
		if !ok {
			return nil, false
		}
		out[argument] = text
	}
	return out, true
}

// text is the text of an argument, and whether it may be passed on.
func (w Weakness) text(raw jsontext.Value) (string, bool) {
	switch raw.Kind() {
	case jsontext.KindString:
		text, err := jsontext.AppendUnquote(nil, raw)
		return string(text), err == nil && (len(text) <= maxArgument || w.LongArguments)
	case jsontext.KindNull:
		return "", w.NullArguments // null is no empty text
	}
	return string(raw), w.ArgumentsUntyped
}
