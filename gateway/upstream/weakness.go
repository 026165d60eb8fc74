package upstream

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Weakness takes checks of a server's tools away, for mutants. The zero value
// is strict.
type Weakness struct {
	Unpinned   bool // a tool without a pin may be defined in any way
	Drifted    bool // so may one with a pin
	Unlisted   bool // a pinned tool need not be listed
	NamesTwice bool // of two listed tools with one name the last counts
}

// HandshakeWeakness takes checks of how a server introduces itself away, for
// mutants. The zero value is strict.
type HandshakeWeakness struct {
	AnyVersion bool // it may answer with any version of the protocol
}

// StartWeak is Start with some checks taken away. It is for the harness, as
// ListWeak is.
func StartWeak(ctx context.Context, s Server, w HandshakeWeakness) (*Client, error) {
	return begin(ctx, s, w)
}

// AnswerWeakness takes checks of what a tool answers away, for mutants. The zero
// value is strict.
type AnswerWeakness struct {
	Errors     bool // what calls itself an error is an answer
	Structured bool // there may be structured content beside the text
	Several    bool // of several parts the first counts
	Long       bool // a text may have any length

	Forwards Aside // what is passed on behind the text, or in its place
}

// CallWeak is Call with some checks taken away. It is for the harness, as ListWeak is.
// While it passes something on no other call may be under way.
func (c *Client) CallWeak(ctx context.Context, tool string, arguments map[string]string, w AnswerWeakness, b BesideWeakness) (Response, error) {
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	if b != (BesideWeakness{}) {
		ctx = b.put(ctx, params)
	}
	if w.Forwards == "" {
		return c.call(ctx, params, w)
	}
	c.process.aside.begin(w.Forwards)
	response, err := c.call(ctx, params, w)
	c.relist(ctx)
	aside := c.process.aside.end(ctx)
	switch {
	case err == nil:
		return Response{Text: response.Text + " " + aside}, nil
	case aside != "" && (w.Forwards == Media || w.Forwards == ErrorText):
		return Response{Text: aside}, nil
	}
	return response, err
}

// relist takes over how tools are described by now, if that is what is passed on
// and the server said that it changed.
func (c *Client) relist(ctx context.Context) {
	if !c.process.aside.heard(Drift) {
		return
	}
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return
		}
		c.process.aside.keep(Drift, tool.Description)
	}
}

// ListWeak is List with some checks taken away. Nothing of the gateway's own
// calls it, or PinnedWeak: they are for the harness, and a test keeps them there.
func (c *Client) ListWeak(ctx context.Context, w Weakness) (map[string]string, error) {
	return c.list(ctx, w)
}

// PinnedWeak is Pinned with some checks taken away.
func PinnedWeak(listed, pins map[string]string, w Weakness) error { return pinned(listed, pins, w) }
