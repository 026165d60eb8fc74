package level2

import (
	"postern/gateway"
	"postern/gateway/upstream"
)

// callMutants are those that pass on what an MCP client says beside a tool's
// arguments: each is shown by the lines that the tool server reads, as that records
// them. The same lines show that the call itself came there, in both sessions.
func callMutants() []codeMutant {
	passes := func(id, why, line string, weak upstream.BesideWeakness) codeMutant {
		return codeMutant{id: "calls/" + id, why: why, layer: Calls, place: AtWire, line: line, weak: gateway.Weakness{Beside: weak},
			set: func(_ *gateway.Config, q *question) { q.around.server, q.around.client = records, plain }}
	}
	named := passes("client-name", "what a client calls itself is passed on", clientCall("1", ""), upstream.BesideWeakness{Client: true})
	named.set = func(_ *gateway.Config, q *question) { q.around.server, q.around.client = records, namedSo }
	version := passes("version", "the version of the protocol that a client asks for is passed on", clientCall("1", ""), upstream.BesideWeakness{Version: true})
	version.set = func(_ *gateway.Config, q *question) { q.around.server, q.around.client = records, asksFor }
	taken := passes("cancel-reason", "the reason of a cancellation is passed on", clientCall("1", "")+"\n"+takenBack, upstream.BesideWeakness{Reason: true})
	taken.stop = failed
	taken.set = func(_ *gateway.Config, q *question) { q.around.server, q.around.client = waits, plain }
	return []codeMutant{
		passes("meta", "a call's _meta is passed on", clientCall("1", `"_meta":{"note":"CANARY"},`), upstream.BesideWeakness{Meta: true}),
		passes("progress-token", "a token for progress is passed on", clientCall("1", `"_meta":{"progressToken":"CANARY"},`), upstream.BesideWeakness{ProgressToken: true}),
		passes("request-id", "a call has the number that the client gave it", clientCall(`"CANARY"`, ""), upstream.BesideWeakness{RequestID: true}),
		taken,
		named,
		version,
	}
}

// How an MCP client introduces itself.
const (
	plain   = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}`
	namedSo = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"CANARY","version":"1"}}}`
	asksFor = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"CANARY","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}`
)

// What it writes then. A call's own text holds nothing, unless what is looked for is
// an answer.
const (
	introduced = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	takenBack  = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"CANARY"}}`
)

func clientCall(id, beside string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{` + beside + `"name":"DO","arguments":{"text":"a text"}}}`
}
