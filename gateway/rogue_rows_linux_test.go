package gateway

import (
	"strings"

	"postern/gateway/bridge"
	"postern/gateway/upstream"
)

// rogueRow is what becomes of an agent's two equal calls when the server has a
// mode. What is withheld or fails is so at the first call, and the session ends.
type rogueRow struct {
	mode string
	does string // the word of the README for it
	text string // released, as it is spelt; "stored" where empty
	code string // where nothing is released

	hears  string // what the server reads between a call and its own answer; $ID is the call's
	change func(*Config)

	lines     []string // all that the server reads, where that is not the usual
	cancelled bool     // the session is, once the server has the call
	mute      bool     // the mode plants nothing
	goesOn    bool     // a code does not end the session
}

// failing is the code of a call whose server did not give a plain answer.
const failing = "upstream-failed"

// sent is every byte that the agent is sent behind the initial line.
func (r rogueRow) sent() string {
	switch {
	case r.cancelled:
		return ""
	case r.goesOn:
		return strings.Repeat(`{"status":"error","code":"`+r.code+`"}`+"\n", 2)
	case r.code != "":
		return `{"status":"error","code":"` + r.code + `"}` + "\n"
	case r.text != "":
		return strings.Repeat(`{"status":"ok","result":{"text":"`+r.text+`"}}`+"\n", 2)
	}
	return strings.Repeat(`{"status":"ok","result":{"text":"stored"}}`+"\n", 2)
}

func (r rogueRow) end() bridge.Outcome {
	switch {
	case r.cancelled:
		return bridge.Canceled
	case r.code == failing:
		return bridge.UpstreamFailed
	}
	return bridge.Completed
}

// reads is what the server reads: of the agent's call there is the tool and its
// argument, and the number is the gateway's.
func (r rogueRow) reads() []string {
	if r.lines != nil {
		return r.lines
	}
	out := append([]string{}, handshake...)
	for i := range 2 {
		id := len(handshake) + i // of the four lines one has no id
		out = append(out, numbered(`{"jsonrpc":"2.0","id":$ID,"method":"tools/call","params":{"name":"vault_store","arguments":{"text":"`+secret+`"}}}`, id))
		if r.hears != "" {
			out = append(out, numbered(r.hears, id))
		}
		if r.code != "" && !r.goesOn || r.cancelled {
			break
		}
	}
	return out
}

// handshake is what every server reads first.
var handshake = []string{
	`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"postern-gateway","version":"1"},"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
	`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"clientInfo":{"name":"postern-gateway","version":"1"},"protocolVersion":"2025-11-25","capabilities":{}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}`,
	`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}`,
}

// newest is what a server reads that speaks the newest version: the gateway's own
// introduction in each line, and nothing else more.
var newest = []string{
	handshake[0],
	`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + introduced + `}}`,
	`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{` + introduced + `,"name":"vault_store","arguments":{"text":"` + secret + `"}}}`,
	`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{` + introduced + `,"name":"vault_store","arguments":{"text":"` + secret + `"}}}`,
}

const introduced = `"_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"postern-gateway","version":"1"},"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`

// refused is what a server reads that has asked for something.
func refused(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32601,"message":"refused"}}`
}

// The words of the README.
const (
	strip    = "strip"
	drop     = "drop"
	refusing = "refuse"
	pin      = "pin"
	renumber = "renumber"
	ceiling  = "ceiling"
	release  = "release"
)

// rogueRows has a row for every mode with which a gateway opens, but for the one
// of TestALateAnswerIsNobodys.
var rogueRows = []rogueRow{
	{mode: "honest", does: release, mute: true},
	{mode: "echo", does: release, text: secret, mute: true},
	{mode: "control-text", does: release, mute: true, text: `stored\u0000\n{\"status\":\"error\",\"code\":\"denied-policy\"}\r\u001b[2J`},
	{mode: "half-pair", does: release, mute: true, text: "stored\ufffd"},
	{mode: "says", does: ceiling, code: "denied-response", goesOn: true, change: func(c *Config) { c.Ceilings[AgentSink] = "public" }},
	{mode: "oversized", does: ceiling, code: failing},
	{mode: "oversized-line", does: ceiling, code: failing},
	{mode: "slow", does: ceiling, cancelled: true, mute: true,
		hears: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"context canceled","requestId":$ID}}`},

	{mode: "error", does: refusing, code: failing},
	{mode: "tool-error", does: refusing, code: failing},
	{mode: "broken-text", does: refusing, code: failing},
	{mode: "two-texts", does: refusing, code: failing},
	{mode: "no-content", does: refusing, code: failing, mute: true},
	{mode: "image", does: refusing, code: failing},
	{mode: "audio", does: refusing, code: failing},
	{mode: "resource-text", does: refusing, code: failing},
	{mode: "resource-blob", does: refusing, code: failing},
	{mode: "resource-link", does: refusing, code: failing},
	{mode: "image-beside-text", does: refusing, code: failing},
	{mode: "unknown-content", does: refusing, code: failing},
	{mode: "structured", does: refusing, code: failing},
	{mode: "input-required", does: refusing, code: failing},
	{mode: "no-json", does: refusing, code: failing},
	{mode: "half-json", does: refusing, code: failing},
	{mode: "batch", does: refusing, code: failing},
	{mode: "other-jsonrpc", does: refusing, code: failing},
	{mode: "result-and-error", does: refusing, code: failing},
	{mode: "crash", does: refusing, code: failing, mute: true},

	{mode: "annotations", does: strip},
	{mode: "content-meta", does: strip},
	{mode: "result-meta", does: strip},
	{mode: "unknown-member", does: strip},
	{mode: "introduction", does: strip},
	{mode: "version-old", does: strip},
	{mode: "version-new", does: strip, lines: newest},
	{mode: "definition-meta", does: strip},

	{mode: "stderr", does: drop},
	{mode: "progress", does: drop},
	{mode: "progress-word-token", does: drop},
	{mode: "logging", does: drop},
	{mode: "cancelled", does: drop},
	{mode: "prompts-changed", does: drop},
	{mode: "resources-changed", does: drop},
	{mode: "resource-updated", does: drop},
	{mode: "elicitation-done", does: drop},
	{mode: "unknown-notice", does: drop},
	{mode: "tools-changed", does: pin},

	{mode: "answers-ahead", does: renumber},
	{mode: "answers-twice", does: renumber},
	{mode: "answers-nothing", does: renumber},
	{mode: "answers-text-id", does: renumber},

	{mode: "asks-with-our-id", does: refusing, hears: refused("$ID")},
	{mode: "asks-with-a-word", does: refusing, hears: refused(`"` + planted + `"`)},
	{mode: "asks-the-unspeakable", does: refusing, hears: refused("7")},
	{mode: "sampling", does: refusing, hears: refused("7")},
	{mode: "elicitation", does: refusing, hears: refused("7")},
	{mode: "roots", does: refusing, hears: refused("7")},
	{mode: "asks-to-call", does: refusing, hears: refused("7")},
	{mode: "asks-a-prompt", does: refusing, hears: refused("7")},
	{mode: "asks-to-fill", does: refusing, hears: refused("7")},
	{mode: "ping", does: release, hears: `{"jsonrpc":"2.0","id":7,"result":{}}`},
}

// rogueOpenings are modes with which a gateway does not open.
var rogueOpenings = []struct {
	mode  string
	does  string
	step  Step  // at which it is refused, if it could be looked at
	is    error // nil for one that only the step says
	reads int   // lines of the handshake
	mute  bool  // the mode plants nothing
}{
	{"version-unknown", refusing, StepServer, upstream.ErrVersion, 2, false},
	{"version-missing", refusing, StepServer, upstream.ErrVersion, 2, false},
	{"version-above", refusing, StepServer, upstream.ErrVersion, 2, true},
	{"version-no-text", refusing, StepServer, upstream.ErrVersion, 2, false},
	{"version-refused", refusing, "", upstream.ErrFailed, 2, false},
	{"leaves-early", refusing, "", upstream.ErrUnavailable, 2, true},
	{"listed-with-error", refusing, "", upstream.ErrFailed, 4, false},
	{"drifted", pin, StepCatalogue, nil, 4, false},
}
