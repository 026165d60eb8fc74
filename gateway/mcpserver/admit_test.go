package mcpserver

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"postern/gateway/frame"
)

const deliver = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"progressToken":"zq7"},"name":"deliver","arguments":{"text":"zq7"}}}`

// What goes on of a message, in the library's own writing.
func TestOnlyTheCallGoesOn(t *testing.T) {
	for _, c := range []struct{ name, message, passed string }{
		{"a call", deliver, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"deliver","arguments":{"text":"zq7"}}}`},
		{"a list", `{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"zq7","_meta":{}}}`, `{"jsonrpc":"2.0","id":"a","method":"tools/list"}`},
		{"a cancellation", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"zq7"}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`},
		{"a log message", `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"zq7"}}`, ""},
		{"progress", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"zq7","progress":1}}`, ""},
		{"roots that changed", `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, ""},
		{"a call that wants no answer", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"deliver"}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := admit([]byte(c.message), 4096)
			if err != nil || a.answer != nil || (a.request == nil) != (c.passed == "") {
				t.Fatalf("%+v, %v", a, err)
			}
			if a.request == nil {
				return
			}
			text, err := jsonrpc.EncodeMessage(a.request)
			if err != nil || string(text) != c.passed {
				t.Errorf("%s goes on, %v", text, err)
			}
		})
	}
}

// A message cannot reach out of its place in the frame that it is checked in.
func TestAMessageIsOneObject(t *testing.T) {
	for _, message := range []string{
		`{}}`, `{},"operation":"x"`, `{},"x":1`, `{}}{"operation":"x","arguments":{}`, `{} {}`, `{`, ``, ` `, `1`, `[]`, `"x"`, `null`,
	} {
		if a, err := admit([]byte(message), 4096); err == nil {
			t.Errorf("%s: %+v", message, a)
		}
	}
}

// FuzzAdmit holds what is admitted against another reader of JSON: a call goes on
// with the name and the arguments that stand in the message, and admitting it
// again changes nothing.
func FuzzAdmit(f *testing.F) {
	f.Add([]byte(deliver))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\r\n\"id\":\"\\ud83d\\ude00\",\"method\":\"tools/\\u0063all\",\"params\":{\"name\":\"a\"}}"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		a, err := admit(message, 4096)
		var refused *frame.Refusal
		if err != nil {
			if !errors.As(err, &refused) || !slices.Contains(frame.Codes(), refused.Code) {
				t.Fatal("refused without a word")
			}
			return
		}
		if a.request == nil {
			return
		}
		text, err := jsonrpc.EncodeMessage(a.request)
		if err != nil {
			t.Fatal("what was admitted cannot be written")
		}
		again, err := admit(text, 8*4096)
		if err != nil || again.request == nil {
			t.Fatal("what was admitted is not admitted again")
		}
		if twice, err := jsonrpc.EncodeMessage(again.request); err != nil || !bytes.Equal(text, twice) {
			t.Fatal("what was admitted is another message when it is admitted again")
		}
		if a.request.Method != methodCall {
			return
		}
		var said, passed struct {
			Params struct {
				Name      string
				Arguments jsontext.Value
			}
		}
		if stdjson.Unmarshal(message, &said) != nil || stdjson.Unmarshal(text, &passed) != nil || said.Params.Name != passed.Params.Name {
			t.Fatal("another tool is called than the message says")
		}
		if c, err := asFrame(passed.Params.Name, passed.Params.Arguments, 8*4096); err == nil {
			if c.Operation != said.Params.Name || said.Params.Arguments != nil && !bytes.Equal(canonical(t, c.Arguments), canonical(t, said.Params.Arguments)) {
				t.Fatal("the frame is another call than the message")
			}
		}
	})
}

func canonical(t *testing.T, text []byte) jsontext.Value {
	t.Helper()
	v := jsontext.Value(bytes.Clone(text))
	if v.Canonicalize() != nil {
		t.Fatal("admitted what has no canonical form")
	}
	return v
}
