package mcpserver

import (
	"context"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Said is what a client says beside a call, over stdio.
type Said struct {
	Meta    map[string]any // _meta, with a token for progress
	ID      any            // of its request, a text or a number
	Client  string         // what it calls itself
	Version string         // of the protocol, that it asked for
	Reason  func() string  // of its cancellation, once there was one
}

// Weakness has more of a message go on than a call, for mutants. The zero value is
// strict.
type Weakness struct {
	// Beside makes the context of a call that also has what stands beside it; nil
	// lets nothing on.
	Beside func(context.Context, Said) context.Context
}

// NewWeak is New with more of a message going on. Nothing of the gateway's own
// calls it: it is for the harness, and a test keeps it there.
func NewWeak(tools []Tool, l Limits, call Call, w Weakness) *Server {
	s := New(tools, l, call)
	s.beside = &beside{weak: w, said: map[string]*Said{}, reasons: map[string]string{}}
	return s
}

// beside is what was said beside the calls of one client.
type beside struct {
	weak Weakness

	mu      sync.Mutex
	said    map[string]*Said // by the request's id
	reasons map[string]string
}

// besideKey stands in _meta for the id by which a call is known here.
const besideKey = "postern/id"

// keep keeps what a message says beside what of it goes on.
func (b *beside) keep(message []byte, r *jsonrpc.Request) {
	if b == nil || r == nil {
		return
	}
	var m struct {
		Params struct {
			Name      string         `json:"name"`
			Arguments map[string]any `json:"arguments"`
			Meta      map[string]any `json:"_meta"`
			Request   any            `json:"requestId"`
			Reason    string         `json:"reason"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &m) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Method != methodCall {
		b.reasons[fmt.Sprint(m.Params.Request)] = m.Params.Reason
		return
	}
	id := fmt.Sprint(r.ID.Raw())
	b.said[id] = &Said{Meta: m.Params.Meta, ID: r.ID.Raw(), Reason: func() string { return b.reason(id) }}
	params := map[string]any{"name": m.Params.Name, "arguments": m.Params.Arguments, "_meta": map[string]any{besideKey: id}}
	if text, err := json.Marshal(params); err == nil {
		r.Params = text
	}
}

func (b *beside) reason(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reasons[id]
}

// context is that of a call, with what was kept of it.
func (b *beside) context(ctx context.Context, r *mcp.CallToolRequest) context.Context {
	if b == nil || b.weak.Beside == nil {
		return ctx
	}
	id, _ := r.Params.Meta[besideKey].(string)
	b.mu.Lock()
	said := b.said[id]
	b.mu.Unlock()
	if said == nil {
		return ctx
	}
	if hello := r.Session.InitializeParams(); hello != nil && hello.ClientInfo != nil {
		said.Client, said.Version = hello.ClientInfo.Name, hello.ProtocolVersion
	}
	return b.weak.Beside(ctx, *said)
}
