package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/net/netutil"
)

// Path is where the server is found.
const Path = "/mcp"

// Bounds on what a connection may take besides the Limits.
const (
	maxHeader      = 16 << 10
	maxConnections = 128
	readTimeout    = 10 * time.Second // of one request, its body included
	writeTimeout   = 10 * time.Second // of one answer, once the call is over
	idleTimeout    = 2 * time.Minute  // of a connection without a request
	leaveTimeout   = 5 * time.Second  // for answers under way when the server ends
)

const sessionHeader = "Mcp-Session-Id"

// ServeHTTP serves clients of a listener until ctx ends. It closes the listener.
// Leave is called in between: once it returns, the calls that were under way
// have their answers, which are still delivered.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, a Access, leave func()) error {
	server := &http.Server{
		Handler:           a.guard(s.handler()),
		ReadHeaderTimeout: readTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      readTimeout + s.limits.Call + writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0), // it quotes requests
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(netutil.LimitListener(l, maxConnections)) }()
	select {
	case err := <-ended:
		leave()
		return err
	case <-ctx.Done():
	}
	leave()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	if server.Shutdown(grace) != nil {
		server.Close()
	}
	return nil
}

// handler serves requests that were let in.
func (s *Server) handler() http.Handler {
	library := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		JSONResponse:               true, // nothing is pushed, so nothing needs a stream
		SessionTimeout:             s.limits.Idle,
		DisableLocalhostProtection: true, // Access is stricter
	})
	return &handler{server: s, library: library}
}

type handler struct {
	server   *Server
	library  http.Handler
	sessions atomic.Int64
}

// ServeHTTP knows one path and two methods. There is no GET: nothing is pushed.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != Path:
		say(w, http.StatusNotFound)
	case r.Method == http.MethodPost:
		h.post(w, r)
	case r.Method == http.MethodDelete:
		h.end(w, r)
	default:
		w.Header().Set("Allow", "POST, DELETE")
		say(w, http.StatusMethodNotAllowed)
	}
}

// end ends a session.
func (h *handler) end(w http.ResponseWriter, r *http.Request) {
	r.Body = http.NoBody
	h.pass(w, r)
}

// post takes one message.
func (h *handler) post(w http.ResponseWriter, r *http.Request) {
	limit := h.server.limits.Message
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(limit)))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		say(w, http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		say(w, http.StatusBadRequest)
		return
	}
	a, err := admit(body, limit)
	switch {
	case err != nil:
		tell(w, http.StatusBadRequest, malformed(err))
	case a.answer != nil:
		tell(w, http.StatusOK, a.answer)
	case a.request == nil:
		w.WriteHeader(http.StatusAccepted)
	case r.Header.Get(sessionHeader) == "":
		h.open(w, r, a.request)
	default:
		h.forward(w, r, a.request)
	}
}

// open begins a session, if there is room for one.
func (h *handler) open(w http.ResponseWriter, r *http.Request, request *jsonrpc.Request) {
	if request.Method != methodInitialize {
		say(w, http.StatusBadRequest)
		return
	}
	if h.sessions.Add(1) > int64(h.server.limits.Sessions) {
		h.sessions.Add(-1)
		say(w, http.StatusServiceUnavailable)
		return
	}
	h.forward(w, r, request)
	h.await(w.Header().Get(sessionHeader))
}

// await gives a session's place back when it has ended: by its client, or for
// having asked nothing for too long.
func (h *handler) await(id string) {
	for session := range h.server.mcp.Sessions() {
		if id != "" && session.ID() == id {
			go func() {
				defer h.sessions.Add(-1)
				session.Wait()
			}()
			return
		}
	}
	h.sessions.Add(-1) // it never began, or is over already
}

// forward hands the library what was read, not what was sent.
func (h *handler) forward(w http.ResponseWriter, r *http.Request, request *jsonrpc.Request) {
	text, err := jsonrpc.EncodeMessage(request)
	if err != nil {
		say(w, http.StatusBadRequest)
		return
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	h.pass(w, r)
}

// pass lets the library answer, and puts fixed words in place of what it says of
// errors.
func (h *handler) pass(w http.ResponseWriter, r *http.Request) {
	a := &answer{header: http.Header{}}
	h.library.ServeHTTP(a, r)
	if id := a.header.Get(sessionHeader); id != "" {
		w.Header().Set(sessionHeader, id)
	}
	switch {
	case a.status == http.StatusAccepted || a.status == http.StatusNoContent:
		w.WriteHeader(a.status)
	case a.status >= http.StatusBadRequest:
		say(w, a.status)
	default:
		m, err := jsonrpc.DecodeMessage(a.body.Bytes())
		if err != nil {
			say(w, http.StatusInternalServerError)
			return
		}
		tell(w, http.StatusOK, fixed(m))
	}
}

// answer keeps what the library writes: one message, as long as the longest
// reply at most.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(text []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(text)
}

// Flush has nothing to do: the answer is written when it is whole.
func (*answer) Flush() {}

// say answers with the usual words for a status, and no others.
func say(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }

func tell(w http.ResponseWriter, status int, m jsonrpc.Message) {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		say(w, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
}
