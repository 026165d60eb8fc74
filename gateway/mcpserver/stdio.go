package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"postern/gateway/frame"
)

// maxUnderWay bounds the requests of one session that wait for their answers. A
// client that asks for more is not read until some were answered.
const maxUnderWay = 64

// ServeStdio serves one client over a pair of streams, a message a line. It
// returns nil when the client's stream ends or ctx does, and the *frame.Refusal
// of a message that is none. When ctx ends, leave is called first: once it returns,
// the calls that were under way have their answers.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer, leave func()) error {
	c := &lines{
		in: bufio.NewReaderSize(in, s.limits.Message+1), out: out, limit: s.limits.Message,
		read: make(chan received), closed: make(chan struct{}),
		slots: make(chan struct{}, maxUnderWay), underWay: map[jsonrpc.ID]bool{}, beside: s.beside,
	}
	go c.pump()
	session, err := s.mcp.Connect(ctx, transport{c}, nil)
	if err != nil {
		return c.ended()
	}
	stop := context.AfterFunc(ctx, func() {
		leave()
		session.Close()
	})
	defer stop()
	session.Wait() // how the library puts it does not matter here
	return c.ended()
}

type transport struct{ c *lines }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.c, nil }

// lines is a connection whose messages are lines.
type lines struct {
	in    *bufio.Reader
	out   io.Writer
	limit int
	read  chan received

	beside *beside // nil but for a mutant

	closing sync.Once
	closed  chan struct{}
	slots   chan struct{} // one is taken for each request under way

	mu       sync.Mutex
	underWay map[jsonrpc.ID]bool
	err      error // what the stream of messages ended with
	writing  sync.Mutex
}

type received struct {
	message jsonrpc.Message
	err     error
}

// pump reads while it is listened to. It may outlive the session by one read of
// a stream that nobody ends.
func (c *lines) pump() {
	for {
		m, err := c.next()
		if err != nil {
			c.mu.Lock()
			c.err = err
			c.mu.Unlock()
			c.settle()
		}
		select {
		case c.read <- received{m, err}:
		case <-c.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// next is the next message for the library; what needs none is answered here.
func (c *lines) next() (jsonrpc.Message, error) {
	for {
		line, err := c.line()
		if err != nil {
			return nil, err
		}
		a, err := admit(line, c.limit)
		if err != nil {
			return nil, err
		}
		if a.request != nil && a.request.ID.IsValid() && !c.begin(a.request.ID) {
			a = admitted{answer: refusal(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest)} // the id's answer is the other's
		}
		c.beside.keep(line, a.request)
		switch {
		case a.request != nil:
			return a.request, nil
		case a.answer != nil:
			if err := c.write(a.answer); err != nil {
				return nil, err
			}
		}
	}
}

// line is the next line without its LF, valid until the next call.
func (c *lines) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	switch {
	case err == nil:
		return line[:len(line)-1], nil
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, &frame.Refusal{Code: frame.Oversized}
	case errors.Is(err, io.EOF) && len(line) > 0:
		return nil, &frame.Refusal{Code: frame.Unterminated}
	}
	return nil, err
}

// begin takes a slot for a request, unless one of its id is under way.
func (c *lines) begin(id jsonrpc.ID) bool {
	c.mu.Lock()
	twice := c.underWay[id]
	c.underWay[id] = true
	c.mu.Unlock()
	if twice {
		return false
	}
	select {
	case c.slots <- struct{}{}:
	case <-c.closed:
	}
	return true
}

// forget frees an id, before the client can read its answer and use it again.
func (c *lines) forget(id jsonrpc.ID) (begun bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	begun = c.underWay[id]
	delete(c.underWay, id)
	return begun
}

// settle waits for the answers that are due: the library gives up what is under
// way when its reader ends, and a client may write its calls and hang up.
func (c *lines) settle() {
	for range maxUnderWay {
		select {
		case c.slots <- struct{}{}:
		case <-c.closed:
			return
		}
	}
}

func (c *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case r := <-c.read:
		return r.message, r.err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *lines) Write(_ context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok && c.forget(r.ID) {
		defer func() { <-c.slots }() // once it is written: what is under way has a slot
	}
	return c.write(fixed(m))
}

func (c *lines) write(m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err = c.out.Write(append(text, '\n'))
	return err
}

func (c *lines) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return nil
}

func (*lines) SessionID() string { return "" }

// ended is why the stream of messages is over, if not by its end.
func (c *lines) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var refused *frame.Refusal
	if errors.As(c.err, &refused) {
		return refused
	}
	return nil
}
