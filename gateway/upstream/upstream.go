// Package upstream runs a measured MCP tool server and calls its tools.
//
// It promises that the code which runs is the code that was hashed: the file
// is read once into sealed memory, hashed there and executed from there, so
// that swapping or overwriting the path changes nothing. Only a static ELF
// executable is run, because interpreters and shared libraries would be code
// that nobody measured. The server gets exactly the given environment, and
// none of its descriptors but stdio and its own sealed image. Answers are
// bounded and held to one form; what the server writes on stderr is counted,
// never kept. Text of the server's never goes into an error.
//
// The guard's table decides whether a server is started, and how: in the sandbox
// of the profile that was enrolled for it, or, where it need not be confined, as
// what can do all that this user can do, with a notice on our stderr. A program
// that starts servers calls spawn.Inner before anything else.
package upstream

import (
	"context"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of what a server may send. A text may grow sixfold in JSON.
const (
	MaxText  = 64 << 10          // bytes of one answer's text
	maxFrame = 6*MaxText + 4<<10 // bytes of one JSON-RPC message
	maxTools = 256               // tools of one server
)

// Server says what to run.
type Server struct {
	Path   string   // a static ELF executable
	SHA256 string   // of its content, in lower-case hexadecimal digits
	Args   []string // arguments after the program's name
	Env    []string // the whole environment, "KEY=value"; nothing is inherited
	Guard  Guard    // how it is confined
}

// Clone copies a server deeply.
func (s Server) Clone() Server {
	s.Args, s.Env = slices.Clone(s.Args), slices.Clone(s.Env)
	s.Guard = s.Guard.Clone()
	return s
}

// Response is what a tool answered.
type Response struct {
	Text string
}

// The ways in which a call fails. Neither says what the server said.
var (
	ErrUnavailable = errors.New("the tool server is not available")     // it died, hangs or broke the protocol
	ErrFailed      = errors.New("the tool did not give a plain answer") // an error, or content other than one short text
)

// Client is a running server. Safe for concurrent use.
type Client struct {
	process *process
	session *mcp.ClientSession
}

// Call calls a tool.
func (c *Client) Call(ctx context.Context, tool string, arguments map[string]string) (Response, error) {
	return c.call(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments}, AnswerWeakness{})
}

func (c *Client) call(ctx context.Context, params *mcp.CallToolParams, w AnswerWeakness) (Response, error) {
	result, err := c.session.CallTool(ctx, params)
	if err != nil {
		c.process.aside.keep(ErrorText, err.Error())
		return Response{}, classify(err)
	}
	c.process.aside.result(result)
	return plain(result, w)
}

// plain accepts one text and nothing else: whatever cannot be bounded and
// labelled as a text is not passed on.
func plain(result *mcp.CallToolResult, w AnswerWeakness) (Response, error) {
	parts := len(result.Content)
	switch {
	case result.InputRequests != nil, result.IsError && !w.Errors:
		return Response{}, ErrFailed
	case result.StructuredContent != nil && !w.Structured, parts == 0, parts > 1 && !w.Several:
		return Response{}, ErrFailed
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok || len(text.Text) > MaxText && !w.Long {
		return Response{}, ErrFailed
	}
	return Response{Text: text.Text}, nil
}

// Stderr is how many bytes the server has written on stderr so far.
func (c *Client) Stderr() int64 { return c.process.stderrBytes.Load() }

// Close ends the server and every process of its group, and waits for it,
// for no longer than a few seconds. Safe to call twice.
func (c *Client) Close() error {
	err := c.process.stop()
	c.session.Close() // its transport is gone already, which is all it could say
	return err
}
