// Package mcpserver is the gateway's front for MCP clients, over stdio and over
// streamable HTTP.
//
// It promises that a message is held to the rules of package frame before
// anything reads it; that a tool call becomes a frame and takes the call path of
// whoever made the server, and no other; that of a message nothing but the
// frame goes on: no _meta, no progress token, no request id, no reason of a
// cancellation, no name and no version; and that a client reads fixed words,
// except for the text of a reply that was released. It asks nothing of a client and
// pushes nothing. A client that asks for a version of the protocol which is not
// spoken is answered with the newest that is, and may leave; its own word for it
// comes back nowhere.
//
// It decides nothing about a call. It does not encrypt: a token that goes over
// a network needs something in front of it that does.
package mcpserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"postern/gateway/bridge"
	"postern/gateway/frame"
)

// Tool is what a client sees of an alias.
type Tool struct {
	Alias       string
	Description string   // the operator's own words, never the tool server's
	Arguments   []string // all texts, all required
}

// Limits bound what clients may take. A zero field takes the default.
type Limits struct {
	Message  int           // bytes of one message: 128 KiB, at most frame.MaxBytes
	Sessions int           // at the same time, over HTTP: 16
	Idle     time.Duration // until a session over HTTP that asks nothing is ended: 10 min
	Call     time.Duration // of one call at its tool: 30 s
}

// DefaultLimits returns what zero fields stand for.
func DefaultLimits() Limits {
	return Limits{Message: 128 << 10, Sessions: 16, Idle: 10 * time.Minute, Call: 30 * time.Second}
}

// Validate refuses what no server may have.
func (l Limits) Validate() error {
	for _, f := range []struct {
		name       string
		value, top int64
		most       string
	}{
		{"message", int64(l.Message), frame.MaxBytes, "4194304 bytes"},
		{"sessions", int64(l.Sessions), 1024, "1024"},
		{"idle", int64(l.Idle), int64(24 * time.Hour), "24h"},
		{"call", int64(l.Call), int64(10 * time.Minute), "10m"},
	} {
		if f.value < 0 || f.value > f.top {
			return fmt.Errorf("limit %q must be from 0, which is the default, to %s", f.name, f.most)
		}
	}
	return nil
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	return Limits{
		Message: cmp.Or(l.Message, d.Message), Sessions: cmp.Or(l.Sessions, d.Sessions),
		Idle: cmp.Or(l.Idle, d.Idle), Call: cmp.Or(l.Call, d.Call),
	}
}

// Call decides about a call and carries it out. Calls come concurrently.
type Call func(context.Context, frame.Call) bridge.Reply

// Server serves MCP clients. Safe for concurrent use.
type Server struct {
	limits Limits
	call   Call
	mcp    *mcp.Server
	beside *beside // nil but for a mutant
}

// versions are those of the protocol that have sessions and no batches.
var versions = []string{"2025-11-25", "2025-06-18", "2024-11-05"}

// New makes a server of valid limits.
func New(tools []Tool, l Limits, call Call) *Server {
	s := &Server{limits: l.withDefaults(), call: call}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "postern-gateway", Version: "1"}, &mcp.ServerOptions{
		Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		GetSessionID:              rand.Text,
		SupportedProtocolVersions: versions,
	})
	for _, t := range tools {
		// The handler is never reached: the middleware is in front of it.
		s.mcp.AddTool(t.listed(), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return refused(wordInternal), nil
		})
	}
	s.mcp.AddReceivingMiddleware(s.receive)
	return s
}

func (t Tool) listed() *mcp.Tool {
	properties := make(map[string]any)
	for _, a := range t.Arguments {
		properties[a] = map[string]string{"type": "string"}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(t.Arguments) > 0 {
		schema["required"] = slices.Clone(t.Arguments)
	}
	return &mcp.Tool{Name: t.Alias, Description: t.Description, InputSchema: schema}
}

// receive takes every tool call before the library looks for a tool of that
// name: what there is, is the gateway's to say, and to record.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if method != methodCall {
			return next(ctx, method, r)
		}
		request, ok := r.(*mcp.CallToolRequest)
		if !ok || request.Params == nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: wordOf(jsonrpc.CodeInvalidParams)}
		}
		return s.answer(s.beside.context(ctx, request), request.Params.Name, jsontext.Value(request.Params.Arguments)), nil
	}
}

// answer makes a fixed word of a panic too, whose text may be anything.
func (s *Server) answer(ctx context.Context, name string, arguments jsontext.Value) (result *mcp.CallToolResult) {
	defer func() {
		if recover() != nil {
			result = refused(wordInternal)
		}
	}()
	f, err := asFrame(name, arguments, s.limits.Message)
	if err != nil {
		return refused(wordFrame)
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.Call)
	defer cancel()
	reply := s.call(ctx, f)
	if reply.Code != "" {
		return refused(reply.Code)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: reply.Text}}}
}

// asFrame is a tool call as an agent behind the bridge would have sent it.
func asFrame(name string, arguments jsontext.Value, limit int) (frame.Call, error) {
	if len(arguments) == 0 {
		arguments = jsontext.Value("{}")
	}
	line, err := jsontext.AppendQuote([]byte(`{"operation":`), name)
	if err != nil {
		return frame.Call{}, err
	}
	line = append(append(append(line, `,"arguments":`...), compact(arguments)...), '}')
	return frame.Decode(line, frame.Limits{Bytes: limit})
}

// Frame is a message of a client's that calls a tool, as an agent behind the
// bridge would have sent it, which is what the audit log commits to.
func Frame(message []byte) (frame.Call, error) {
	var m struct {
		Method string `json:"method"`
		Params struct {
			Name      string         `json:"name"`
			Arguments jsontext.Value `json:"arguments"`
		} `json:"params"`
	}
	if err := json.Unmarshal(message, &m); err != nil || m.Method != "tools/call" {
		return frame.Call{}, errNoCall
	}
	return asFrame(m.Params.Name, m.Params.Arguments, frame.MaxBytes)
}

var errNoCall = errors.New("the message calls no tool")

// refused is the result of a call that was not released: one fixed word.
func refused(word string) *mcp.CallToolResult {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") != "" {
		word = wordInternal
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: word}}}
}
