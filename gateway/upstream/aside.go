package upstream

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Aside is what a server says beside the one text of an answer: one of these
// words, or the method of a request or a notice.
type Aside string

// What is no request and no notice.
const (
	Meta        Aside = "_meta"       // of a result and its part
	Annotations Aside = "annotations" // of a part
	Structured  Aside = "structured"  // content
	Media       Aside = "media"       // a part that is no text: an image, a sound, a resource or a link
	ErrorText   Aside = "error"       // what an error says
	RequestID   Aside = "id"          // of what the server asks
	Unasked     Aside = "unasked"     // an answer to what nobody asked
	Ahead       Aside = "ahead"       // to a call that is still to come
	Twice       Aside = "twice"       // to one that has its answer
	Late        Aside = "late"        // to one that was taken back
	BrokenText  Aside = "broken-text" // a line with bytes that are no text
	NoObject    Aside = "no-object"   // a line that is no message
	Stderr      Aside = "stderr"
	Drift       Aside = "drift" // how tools are described that were listed anew
)

// asides are what a client hears of one kind while a call is under way that is to
// pass it on. The zero value hears nothing, and for the gateway it stays so.
type asides struct {
	mu    sync.Mutex
	of    Aside
	texts []string
	some  chan struct{} // closed at the first text

	call     int64 // the number of the last one
	answered bool  // it is
}

// begin has what comes from now on be kept, if it is of a kind.
func (a *asides) begin(of Aside) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.of, a.texts, a.some = of, nil, make(chan struct{})
}

// deaf reports whether nothing is kept.
func (a *asides) deaf() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of == ""
}

// is reports whether a kind is kept.
func (a *asides) is(of Aside) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of == of && of != ""
}

// heard reports whether something of a kind was kept.
func (a *asides) heard(of Aside) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of == of && len(a.texts) > 0
}

// keep keeps a text of a kind.
func (a *asides) keep(of Aside, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of != of || of == "" {
		return
	}
	if a.texts = append(a.texts, text); len(a.texts) == 1 {
		close(a.some)
	}
}

// end is what was kept. What comes on stderr is waited for: no order of two pipes
// is known. So is a second answer.
func (a *asides) end(ctx context.Context) string {
	if a.is(Stderr) || a.is(Twice) {
		select {
		case <-a.some:
		case <-ctx.Done():
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.of = ""
	return strings.Join(a.texts, " ")
}

// message keeps what is not for the caller in a message of the server's.
func (a *asides) message(m jsonrpc.Message) {
	if a.deaf() {
		return
	}
	switch m := m.(type) {
	case *jsonrpc.Request:
		a.keep(Aside(m.Method), string(m.Params))
		a.keep(BrokenText, string(m.Params))
		if m.Method == "notifications/tools/list_changed" {
			a.keep(Drift, "changed")
		}
		if id, ok := m.ID.Raw().(string); ok {
			a.keep(RequestID, id)
		}
	case *jsonrpc.Response:
		a.keep(a.answers(m.ID), string(m.Result))
	}
}

// calls notes the number of a call on its way.
func (a *asides) calls(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok || r.Method != "tools/call" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.call, _ = r.ID.Raw().(int64)
	a.answered = false
}

// answers says what of an answer to a number is out of order; "" where nothing is.
func (a *asides) answers(id jsonrpc.ID) Aside {
	n, ours := id.Raw().(int64)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case !ours:
		return Unasked
	case n > a.call:
		return Ahead
	case n < a.call:
		return Late
	case a.answered:
		return Twice
	}
	a.answered = true
	return ""
}

// result keeps what stands beside the text of an answer.
func (a *asides) result(r *mcp.CallToolResult) {
	if a.deaf() {
		return
	}
	a.json(Meta, r.Meta)
	a.json(Structured, r.StructuredContent)
	for _, part := range r.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			a.json(Meta, text.Meta)
			a.json(Annotations, text.Annotations)
		} else {
			a.keep(Media, held(part))
		}
	}
}

func (a *asides) json(of Aside, value any) {
	if text, err := json.Marshal(value); err == nil {
		a.keep(of, string(text))
	}
}

// held is what is in a part that is no text.
func held(part mcp.Content) string {
	switch part := part.(type) {
	case *mcp.ImageContent:
		return string(part.Data)
	case *mcp.AudioContent:
		return string(part.Data)
	case *mcp.ResourceLink:
		return part.URI
	case *mcp.EmbeddedResource:
		return part.Resource.Text + string(part.Resource.Blob)
	}
	return ""
}

// sieve takes lines that are no objects out of what a server writes, while those
// are to be passed on. It changes nothing else.
type sieve struct {
	io.ReadCloser
	aside  *asides
	inside bool   // of a line that begins with an object
	line   []byte // that does not
}

func (s *sieve) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if !s.aside.is(NoObject) {
		return n, err
	}
	kept := 0
	for _, b := range p[:n] {
		if s.inside = s.inside || len(s.line) == 0 && b == '{'; s.inside {
			p[kept], kept = b, kept+1
			s.inside = b != '\n'
			continue
		}
		if s.line = append(s.line, b); b == '\n' {
			s.aside.keep(NoObject, strings.TrimSpace(string(s.line)))
			s.line = nil
		}
	}
	return kept, err
}
