package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"postern/gateway/bridge"
	"postern/gateway/frame"
)

// A client has the version that it asks for if that is spoken, and else the newest
// that is; it may leave then. Nothing of its own word comes back.
func TestAClientIsAnsweredWithAVersionThatIsSpoken(t *testing.T) {
	newest := versions[0]
	for asked, want := range map[string]string{
		`"2025-11-25"`: "2025-11-25",
		`"2025-06-18"`: "2025-06-18",
		`"2024-11-05"`: "2024-11-05",
		`"2025-03-26"`: newest, // it has batches
		`"2026-07-28"`: newest, // it has no introduction
		`"1999-12-31"`: newest,
		`"zq7"`:        newest,
		`""`:           newest,
	} {
		var out strings.Builder
		hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":` + asked + `,"capabilities":{},"clientInfo":{"name":"a","version":"1"}}}` + "\n"
		server := New(nil, Limits{}, func(context.Context, frame.Call) bridge.Reply { return bridge.Reply{} })
		if err := server.ServeStdio(t.Context(), strings.NewReader(hello), &out, func() {}); err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Result struct{ ProtocolVersion string }
		}
		if err := json.Unmarshal([]byte(out.String()), &answer); err != nil || answer.Result.ProtocolVersion != want {
			t.Errorf("asked for %s it answers %q, want %q; %v", asked, answer.Result.ProtocolVersion, want, err)
		}
		if strings.Contains(out.String(), "zq7") {
			t.Error("the client's word comes back")
		}
	}
}

// What is no version ends in an error with a fixed word, and so does the newest
// way to begin, which has no introduction.
func TestWhatAsksForNoVersionIsRefused(t *testing.T) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":{"zq7":1},"capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"zq7"}}}`,
	} {
		var out strings.Builder
		server := New(nil, Limits{}, func(context.Context, frame.Call) bridge.Reply { return bridge.Reply{} })
		if err := server.ServeStdio(t.Context(), strings.NewReader(line+"\n"), &out, func() {}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), `"error":`) || strings.Contains(out.String(), "zq7") {
			t.Errorf("%d bytes, an error: %v", out.Len(), strings.Contains(out.String(), `"error":`))
		}
	}
}
