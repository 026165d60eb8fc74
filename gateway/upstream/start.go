package upstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// handshakeTimeout bounds the start of a server that says nothing.
const handshakeTimeout = 10 * time.Second

// Start measures a server, runs it and shakes hands.
func Start(ctx context.Context, s Server) (*Client, error) {
	return begin(ctx, s, HandshakeWeakness{})
}

func begin(ctx context.Context, s Server, w HandshakeWeakness) (*Client, error) {
	image, err := Measure(s.Path, s.SHA256)
	if err != nil {
		return nil, err
	}
	defer image.Close() // the process holds its own reference by then
	return image.begin(ctx, s, w)
}

// Start runs a measured image as the guard's table says of the server, and shakes
// hands. An image may be started more than once.
func (i *Image) Start(ctx context.Context, s Server) (*Client, error) {
	return i.begin(ctx, s, HandshakeWeakness{})
}

func (i *Image) begin(ctx context.Context, s Server, w HandshakeWeakness) (*Client, error) {
	for n := 1; ; n++ {
		process, err := launch(ctx, i, s)
		if err != nil {
			return nil, err
		}
		session, err := connect(ctx, process, w)
		if err == nil {
			return &Client{process: process, session: session}, nil
		}
		err = errors.Join(fmt.Errorf("starting tool server: %w", err), process.stop())
		if n == attempts || !process.neverRan() {
			return nil, err
		}
	}
}

// connect offers the server no capability, and lets it do nothing but answer.
func connect(ctx context.Context, p *process, w HandshakeWeakness) (*mcp.ClientSession, error) {
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "postern-gateway", Version: "1"}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	hello := &greeting{weak: w}
	transport := oneWay{&mcp.IOTransport{Reader: newStrict(p.stdout, &p.aside), Writer: p.stdin, MaxLineLength: maxFrame}, &p.aside, hello}
	session, err := client.Connect(ctx, transport, nil)
	switch {
	case hello.refused():
		return nil, ErrVersion
	case err != nil:
		return nil, classify(err)
	}
	return session, nil
}

// classify drops the text of an error, which may be the server's: an error
// that the server answered with is a failed call, any other a lost server.
func classify(err error) error {
	var answered *jsonrpc.Error
	if errors.As(err, &answered) && !errors.Is(err, mcp.ErrConnectionClosed) {
		return ErrFailed
	}
	return ErrUnavailable
}
