package level2

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/frame"
	"postern/gateway/mcpserver"
	"postern/gateway/upstream"
)

// front has an MCP client write its lines to the gateway's server of such, and
// counts the calls that come of them. What the client is sent of a call is what the
// gateway replies, behind which that server lets nothing else out.
func (d *driver) front(ctx context.Context, at place, s *session, g *gateway.Gateway) (handed int, err error) {
	replies := make(chan bridge.Reply, 8)
	serve := func(ctx context.Context, f frame.Call) bridge.Reply {
		reply := g.Handle(ctx, f)
		replies <- reply
		return reply
	}
	server := mcpserver.New(nil, mcpserver.Limits{}, serve)
	if s.weak.Beside != (upstream.BesideWeakness{}) {
		server = mcpserver.NewWeak(nil, mcpserver.Limits{}, serve, mcpserver.Weakness{
			Beside: func(ctx context.Context, said mcpserver.Said) context.Context {
				return upstream.WithBeside(ctx, upstream.Beside(said))
			},
		})
	}
	in, client := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := server.ServeStdio(ctx, in, out, func() {})
		out.Close()
		ended <- errors.Join(err, in.Close())
	}()
	err = d.converse(ctx, at, s, client, bufio.NewReader(answers), func() bool { return len(replies) > 0 })
	client.Close()
	go io.Copy(io.Discard, answers)
	if err := errors.Join(err, <-ended); err != nil {
		return 0, fmt.Errorf("leading an MCP client: %w", err)
	}
	close(replies)
	for reply := range replies {
		at.agent.Take(sent(reply))
		if handed++; handed == 1 {
			s.heard.Code = Code(reply.Code)
		}
	}
	if handed == 0 {
		s.heard.Code = unready
	}
	return handed, nil
}

// converse is the client's part: it introduces itself and calls. Where it takes the
// call back, it does so when the tool server has it; and where it calls again behind
// that, when the gateway has given it up.
func (d *driver) converse(ctx context.Context, at place, s *session, to io.Writer, from *bufio.Reader, given func() bool) error {
	if _, err := to.Write(d.hello(s)); err != nil {
		return err
	}
	if _, err := from.ReadBytes('\n'); err != nil {
		return err
	}
	go io.Copy(io.Discard, from)
	had := recorded(at.sink)
	written := bytes.Join(d.lines(s), nil)
	waits := []func() bool{
		func() bool { return true },
		func() bool { return recorded(at.sink) > had },
		given,
	}
	if _, err := io.WriteString(to, introduced+"\n"); err != nil {
		return err
	}
	n := 0
	for line := range bytes.Lines(written) {
		if err := until(ctx, waits[n]); err != nil {
			return err
		}
		if _, err := to.Write(line); err != nil {
			return err
		}
		n++
	}
	if n == 2 { // the cancellation goes its own way
		return until(ctx, func() bool { return at.sink.Records()[takesBack] > 0 })
	}
	return nil
}

// until waits for what is to come, or for the session's end.
func until(ctx context.Context, there func() bool) error {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for !there() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-look.C:
		}
	}
	return nil
}
