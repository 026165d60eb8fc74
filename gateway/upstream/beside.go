package upstream

import (
	"context"
	"encoding/json"
	"maps"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Beside is what a client of the gateway's says beside a call. Nothing of it goes
// to a tool server: Call is not given any.
type Beside struct {
	Meta    map[string]any // _meta, with a token for progress
	ID      any            // of the client's request, a text or a number
	Client  string         // what the client calls itself
	Version string         // of the protocol, that it asked for
	Reason  func() string  // why it takes the call back, once it did
}

// BesideWeakness passes on what a client says beside a call, for mutants. The zero
// value is strict.
type BesideWeakness struct {
	Meta          bool // _meta, but for a token
	ProgressToken bool
	RequestID     bool // the client's number is that of the call
	Reason        bool // of a cancellation
	Client        bool // its name
	Version       bool // of the protocol, that it asked for
}

type besideKey struct{}

// WithBeside is a context for a call of CallWeak's. It is for the harness.
func WithBeside(ctx context.Context, b Beside) context.Context {
	return context.WithValue(ctx, besideKey{}, b)
}

// passing is what of it is passed on, and with which call.
type passing struct {
	weak BesideWeakness
	said Beside
}

type passingKey struct{}

// put has a call's parameters and its context hold what is passed on.
func (w BesideWeakness) put(ctx context.Context, params *mcp.CallToolParams) context.Context {
	said, _ := ctx.Value(besideKey{}).(Beside)
	const token = "progressToken"
	params.Meta = mcp.Meta{}
	if w.Meta {
		maps.Copy(params.Meta, said.Meta)
		delete(params.Meta, token)
	}
	if value, there := said.Meta[token]; there && w.ProgressToken {
		params.Meta[token] = value
	}
	if w.Client {
		params.Meta["io.modelcontextprotocol/clientInfo"] = map[string]string{"name": said.Client, "version": "1"}
	}
	if w.Version {
		params.Meta["version"] = said.Version
	}
	return context.WithValue(ctx, passingKey{}, passing{w, said})
}

// renamed are the calls of one connection that have a client's number: its own is
// what the protocol library knows each by.
type renamed struct {
	mu  sync.Mutex
	own map[jsonrpc.ID]jsonrpc.ID
}

// out is a message on its way to the server, as far as something is passed on.
func (r *renamed) out(ctx context.Context, m jsonrpc.Message) jsonrpc.Message {
	p, _ := ctx.Value(passingKey{}).(passing)
	request, ok := m.(*jsonrpc.Request)
	if !ok || p.weak == (BesideWeakness{}) {
		return m
	}
	changed := *request
	switch {
	case p.weak.RequestID && changed.Method == "tools/call":
		id, err := jsonrpc.MakeID(p.said.ID)
		if err != nil {
			return m
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.own == nil {
			r.own = map[jsonrpc.ID]jsonrpc.ID{}
		}
		r.own[id], changed.ID = changed.ID, id
	case p.weak.Reason && p.said.Reason != nil && changed.Method == "notifications/cancelled":
		var said map[string]any
		if json.Unmarshal(changed.Params, &said) != nil {
			return m
		}
		said["reason"] = p.said.Reason()
		changed.Params, _ = json.Marshal(said)
	}
	return &changed
}

// in is a message of the server's, with the number that the protocol library knows.
func (r *renamed) in(m jsonrpc.Message) {
	response, ok := m.(*jsonrpc.Response)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if own, ok := r.own[response.ID]; ok {
		delete(r.own, response.ID)
		response.ID = own
	}
}
