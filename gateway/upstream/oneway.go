package upstream

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// oneWay is a transport on which a server can do nothing but answer. The protocol
// library would answer some of its requests, and hand completion back to it as a
// request of ours, whatever capabilities a client offers.
type oneWay struct {
	mcp.Transport
	aside *asides
	hello *greeting
}

func (t oneWay) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return answers{conn, t.aside, t.hello, new(renamed)}, nil
}

// answers is a connection from which only answers are read.
type answers struct {
	mcp.Connection
	aside *asides
	hello *greeting
	calls *renamed
}

// Write notes what is asked of the server.
func (c answers) Write(ctx context.Context, m jsonrpc.Message) error {
	c.hello.asks(m)
	c.aside.calls(m)
	return c.Connection.Write(ctx, c.calls.out(ctx, m))
}

// Read drops what the server tells and refuses what it asks. It does so before it
// reads on: a server that asks without end and reads nothing waits for itself.
func (c answers) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		message, err := c.Connection.Read(ctx)
		c.aside.message(message)
		c.calls.in(message)
		request, asks := message.(*jsonrpc.Request)
		switch {
		case err != nil:
			return nil, err
		case !asks:
			return message, c.hello.hears(message)
		case !request.IsCall():
			continue
		}
		if err := c.Write(ctx, refusal(request)); err != nil {
			return nil, err
		}
	}
}

// refusal is the one answer to a request, but for the ping to which every side of
// the protocol must answer.
func refusal(request *jsonrpc.Request) *jsonrpc.Response {
	if request.Method == "ping" {
		return &jsonrpc.Response{ID: request.ID, Result: json.RawMessage("{}")}
	}
	return &jsonrpc.Response{ID: request.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "refused"}}
}
