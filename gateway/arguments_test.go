package gateway

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestArgumentsAreExactlyTheToolsOwn(t *testing.T) {
	one, two, none := Tool{Arguments: []string{"text"}}, Tool{Arguments: []string{"text", "title"}}, Tool{}
	full := `"` + strings.Repeat("a", maxArgument) + `"`
	for _, c := range []struct {
		name string
		tool Tool
		raw  string
		ok   bool
	}{
		{"one", one, `{"text":"x"}`, true},
		{"two in another order", two, `{"title":"y","text":"x"}`, true},
		{"none", none, `{}`, true},
		{"an empty text", one, `{"text":""}`, true},
		{"as long as may be", one, `{"text":` + full + `}`, true},
		{"a byte longer", one, `{"text":"a` + full[1:] + `}`, false},
		{"characters count by their bytes", one, `{"text":"` + strings.Repeat("é", maxArgument/2+1) + `"}`, false},
		{"escapes count as what they stand for", one, `{"text":"` + strings.Repeat(`\u0041`, maxArgument) + `"}`, true},
		{"missing", one, `{}`, false},
		{"one of two", two, `{"text":"x"}`, false},
		{"one more", one, `{"text":"x","title":"y"}`, false},
		{"another", one, `{"title":"y"}`, false},
		{"another case", one, `{"Text":"x"}`, false},
		{"twice", one, `{"text":"x","text":"y"}`, false},
		{"twice, one escaped", one, `{"text":"x","\u0074ext":"y"}`, false},
		{"any for none", none, `{"text":"x"}`, false},
		{"null", one, `{"text":null}`, false},
		{"a number", one, `{"text":1}`, false},
		{"a truth value", one, `{"text":true}`, false},
		{"a list", one, `{"text":["x"]}`, false},
		{"an object", one, `{"text":{"a":"b"}}`, false},
		{"no object", one, `["text"]`, false},
		{"null for all", none, `null`, false},
		{"nothing", none, ``, false},
		{"two objects", one, `{"text":"x"}{"text":"x"}`, false},
		{"invalid UTF-8", one, "{\"text\":\"\xff\"}", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := parseArguments(c.tool, jsontext.Value(c.raw), Weakness{})
			if ok != c.ok || ok && len(got) != len(c.tool.Arguments) {
				t.Errorf("accepted: %v, %d arguments", ok, len(got))
			}
		})
	}
}

// Whatever is accepted says the same when it is written out and read again.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"text":"x"}`, `{"text":null}`, `{"text":"x","Text":"y"}`, `{"text":"\ud800"}`, "{\"text\":\"\x00\"}"} {
		f.Add([]byte(seed))
	}
	tool := Tool{Arguments: []string{"text"}}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, ok := parseArguments(tool, raw, Weakness{})
		if !ok {
			return
		}
		if text, there := got["text"]; !there || len(got) != 1 || len(text) > maxArgument {
			t.Fatal("accepted something else than one short text")
		}
		written, err := json.Marshal(got)
		if err != nil {
			t.Fatal("what was accepted cannot be written")
		}
		again, ok := parseArguments(tool, written, Weakness{})
		if !ok || again["text"] != got["text"] {
			t.Fatal("it changes when it is written and read")
		}
	})
}
