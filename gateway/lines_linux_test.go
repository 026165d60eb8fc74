package gateway

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"postern/gateway/bridge"
	"postern/gateway/frame"
)

// agentLines has the ways in which an agent may try to get past the protocol, by
// their line in the list of channels (X1 to X33), each as the bytes that it
// writes. What comes of them is fixed: a reply to each frame, perhaps a refusal
// that ends the session, and what the vault then has.
var agentLines = []struct {
	x       int
	name    string
	stream  string
	replies []string   // "" where the answer was released
	end     frame.Code // "" where the stream ended well
	vault   []string
}{
	{1, "a key twice", line(`{"operation":"publish","operation":"deliver","arguments":{"text":"zq7"}}`), nil, frame.DuplicateKey, nil},
	{1, "an argument twice", line(`{"operation":"deliver","arguments":{"text":"zq7","text":"zq8"}}`), nil, frame.DuplicateKey, nil},
	{2, "a key in another case", line(`{"Operation":"deliver","arguments":{"text":"zq7"}}`), nil, frame.CaseVariant, nil},
	{2, "a key with a long s", line("{\"operation\":\"deliver\",\"argument\u017f\":{\"text\":\"zq7\"}}"), nil, frame.CaseVariant, nil},
	{2, "arguments that differ by a Kelvin sign", line("{\"operation\":\"deliver\",\"arguments\":{\"k\":\"zq7\",\"\u212a\":\"zq8\"}}"), nil, frame.CaseVariant, nil},
	{2, "an argument in another case", deliver(`{"Text":"zq7"}`), []string{"bad-arguments"}, "", nil},
	{3, "a key with NUL behind it", line(`{"operation\u0000":"deliver","arguments":{"text":"zq7"}}`), nil, frame.NUL, nil},
	{4, "a third key", line(`{"operation":"deliver","arguments":{"text":"zq7"},"label":"public"}`), nil, frame.UnknownKey, nil},
	{5, "a number beyond all", deliver(`{"text":1e400}`), nil, frame.NumberRange, nil},
	{5, "an integer that float64 rounds", deliver(`{"text":9007199254740993}`), nil, frame.NumberRange, nil},
	{5, "negative zero", deliver(`{"text":-0}`), nil, frame.NumberRange, nil},
	{5, "a number for a text", deliver(`{"text":7}`), []string{"bad-arguments"}, "", nil},
	{6, "brackets in brackets", deliver(`{"text":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`), nil, frame.Depth, nil},
	{7, "bytes that are no text", deliver("{\"text\":\"zq7\xff\"}"), nil, frame.InvalidUTF8, nil},
	{7, "half a surrogate pair", deliver(`{"text":"zq7\ud800"}`), nil, frame.LoneSurrogate, nil},
	{8, "NUL in a text", deliver(`{"text":"zq7\u0000zq8"}`), nil, frame.NUL, nil},
	{9, "a byte order mark", "\ufeff" + deliver(`{"text":"zq7"}`), nil, frame.ByteOrderMark, nil},
	{10, "CR before LF", strings.Replace(deliver(`{"text":"zq7"}`), "\n", "\r\n", 1), nil, frame.CarriageReturn, nil},
	{10, "CR for LF", strings.Replace(deliver(`{"text":"zq7"}`), "\n", "\r", 1) + deliver(`{"text":"zq8"}`), nil, frame.CarriageReturn, nil},
	{11, "line ends of Unicode's in a text", deliver("{\"text\":\"zq7\u2028\u2029\u0085\"}"), []string{""}, "", []string{"zq7\u2028\u2029\u0085"}},
	{11, "U+2028 for LF", strings.Replace(deliver(`{"text":"zq7"}`), "\n", "\u2028", 1) + deliver(`{"text":"zq8"}`), nil, frame.TrailingBytes, nil},
	{11, "U+0085 for LF", strings.Replace(deliver(`{"text":"zq7"}`), "\n", "\u0085", 1) + deliver(`{"text":"zq8"}`), nil, frame.TrailingBytes, nil},
	{12, "a batch", line("[" + strings.TrimSpace(deliver(`{"text":"zq7"}`)) + "]"), nil, frame.Batch, nil},
	{13, "two frames in a line", strings.TrimSpace(deliver(`{"text":"zq7"}`)) + deliver(`{"text":"zq8"}`), nil, frame.TrailingBytes, nil},
	{13, "a frame on two lines", "{\n" + deliver(`{"text":"zq7"}`)[1:], nil, frame.NotJSON, nil},
	{13, "a line that nobody ended", strings.TrimSpace(deliver(`{"text":"zq7"}`)), nil, frame.Unterminated, nil},
	{14, "frames in one write", deliver(`{"text":"zq7"}`) + publish + deliver(`{"text":"zq8"}`), []string{"", "denied-ceiling", ""}, "", []string{"zq7", "zq8"}},
	{14, "a bad frame between two", deliver(`{"text":"zq7"}`) + "zq9\n" + deliver(`{"text":"zq8"}`), []string{""}, frame.NotJSON, []string{"zq7"}},
	{15, "longer than a frame may be", deliver(`{"text":"` + strings.Repeat("zq7", frame.DefaultBytes) + `"}`), nil, frame.Oversized, nil},
	{15, "longer than an argument may be", deliver(`{"text":"` + strings.Repeat("zq7", maxArgument/3+1) + `"}`), []string{"bad-arguments"}, "", nil},
	{16, "an answer to nothing", line(`{"jsonrpc":"2.0","id":1,"result":{"text":"zq7"}}`), nil, frame.UnknownKey, nil},
	{16, "an id that is in use", line(`{"id":1,"operation":"deliver","arguments":{"text":"zq7"}}`), nil, frame.UnknownKey, nil},
	{17, "_meta beside the arguments", line(`{"operation":"deliver","arguments":{"text":"zq7"},"_meta":{"note":"zq7"}}`), nil, frame.UnknownKey, nil},
	{17, "_meta among the arguments", deliver(`{"text":"zq7","_meta":{"note":"zq7"}}`), []string{"bad-arguments"}, "", nil},
	{18, "a progress token", deliver(`{"text":"zq7","_meta":{"progressToken":"zq7"}}`), []string{"bad-arguments"}, "", nil},
	{18, "progress", operation("notifications/progress"), []string{"unknown-operation"}, "", nil},
	{19, "an id that says something", line(`{"operation":"deliver","arguments":{"text":"zq7"},"id":"zq7"}`), nil, frame.UnknownKey, nil},
	{20, "a cancellation with its reason", operation("notifications/cancelled"), []string{"unknown-operation"}, "", nil},
	{21, "a log message", operation("notifications/message"), []string{"unknown-operation"}, "", nil},
	{22, "reading a resource", operation("resources/read"), []string{"unknown-operation"}, "", nil},
	{22, "a link for a text", deliver(`{"text":{"type":"resource_link","uri":"http://127.0.0.1/zq7"}}`), []string{"bad-arguments"}, "", nil},
	{23, "a prompt", operation("prompts/get"), []string{"unknown-operation"}, "", nil},
	{23, "completion", operation("completion/complete"), []string{"unknown-operation"}, "", nil},
	{24, "sampling", operation("sampling/createMessage"), []string{"unknown-operation"}, "", nil},
	{25, "elicitation", operation("elicitation/create"), []string{"unknown-operation"}, "", nil},
	{26, "a list of tools that changed", operation("notifications/tools/list_changed"), []string{"unknown-operation"}, "", nil},
	{26, "asking for the list", operation("tools/list"), []string{"unknown-operation"}, "", nil},
	{27, "a tool's own name", operation("vault_store"), []string{"unknown-operation"}, "", nil},
	{27, "an alias in another case", operation("Deliver"), []string{"unknown-operation"}, "", nil},
	{27, "an alias with a Cyrillic letter", operation("d\u0435liver"), []string{"unknown-operation"}, "", nil},
	{27, "an alias in full width", operation("\uff44eliver"), []string{"unknown-operation"}, "", nil},
	{27, "an alias and a soft hyphen", operation("deliver\u00ad"), []string{"unknown-operation"}, "", nil},
	{28, "structured content", deliver(`{"text":"zq7","structuredContent":{"text":"zq7"}}`), []string{"bad-arguments"}, "", nil},
	{28, "an image for a text", deliver(`{"text":[{"type":"image","data":"enE3","mimeType":"image/png"}]}`), []string{"bad-arguments"}, "", nil},
	{28, "annotations", line(`{"operation":"deliver","arguments":{"text":"zq7"},"annotations":{"title":"zq7"}}`), nil, frame.UnknownKey, nil},
	{29, "an error that might be echoed", line(`{"operation":"deliver","arguments":"zq7"}`), nil, frame.ArgumentsType, nil},
	{29, "an operation that might be echoed", operation("zq7"), []string{"unknown-operation"}, "", nil},
	{30, "an introduction", line(`{"operation":"initialize","arguments":{"clientInfo":{"name":"zq7"},"capabilities":{"experimental":{"zq7":{}}}}}`), []string{"unknown-operation"}, "", nil},
	{31, "roots", operation("roots/list"), []string{"unknown-operation"}, "", nil},
	{32, "a new beginning", publish + operation("initialize") + publish, []string{"denied-ceiling", "unknown-operation", "denied-ceiling"}, "", nil},
	{33, "a secret in pieces", publishing("enE3") + publishing("c2Vj") + publishing("cmV0") + deliver(`{"text":"zq7"}`), []string{"denied-ceiling", "denied-ceiling", "denied-ceiling", ""}, "", []string{"zq7"}},
}

var publish = publishing("zq7")

func line(text string) string { return text + "\n" }

func deliver(arguments string) string {
	return line(`{"operation":"deliver","arguments":` + arguments + `}`)
}

func publishing(text string) string {
	return line(`{"operation":"publish","arguments":{"text":"` + text + `"}}`)
}

func operation(name string) string {
	return line(`{"operation":"` + name + `","arguments":{"text":"zq7"}}`)
}

func TestEveryLineOfTheListHasItsFixedOutcome(t *testing.T) {
	lines := map[int]bool{}
	for _, r := range agentLines {
		lines[r.x] = true
		t.Run(r.name, func(t *testing.T) {
			sink := newSink(t)
			g := opened(t, config(t, sink))
			// Byte by byte: what a frame is must not depend on how it was written.
			reader := frame.NewReader(iotest.OneByteReader(strings.NewReader(r.stream)), frame.Limits{})
			var replies []string
			call, err := reader.Next()
			for ; err == nil; call, err = reader.Next() {
				reply := g.Handle(t.Context(), call)
				replies = append(replies, reply.Code)
				if reply != (bridge.Reply{Code: reply.Code}) && reply != (bridge.Reply{Text: "stored"}) {
					t.Errorf("a reply of %d bytes, fatal %q", len(reply.Text), reply.Fatal)
				}
			}
			if diff := cmp.Diff(r.replies, replies); diff != "" {
				t.Error(diff)
			}
			if end := endOf(err); end != r.end || strings.Contains(err.Error(), "zq7") {
				t.Errorf("ended with %q, want %q", end, r.end)
			}
			sink.mu.Lock()
			defer sink.mu.Unlock()
			if diff := cmp.Diff(r.vault, sink.texts["vault_store"]); diff != "" || len(sink.texts["public_post"]) != 0 {
				t.Errorf("%d calls reached the public tool; the vault:\n%s", len(sink.texts["public_post"]), diff)
			}
		})
	}
	for x := 1; x <= 33; x++ {
		if !lines[x] {
			t.Errorf("X%d has no row", x)
		}
	}
}

func endOf(err error) frame.Code {
	var refused *frame.Refusal
	switch {
	case errors.Is(err, io.EOF):
		return ""
	case errors.As(err, &refused):
		return refused.Code
	}
	return "another error"
}
