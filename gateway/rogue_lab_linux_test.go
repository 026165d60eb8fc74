package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/docker/docker/pkg/stdcopy"

	"postern/gateway/bridge"
	"postern/gateway/upstream"
)

// planted is what a rogue server puts where it must not come through. Its length
// is a multiple of three, so that its form in base 64 has no padding.
const planted = "zq9planted-text"

// farEnd is the rogue server's side of a session: what it read and wrote.
type farEnd struct {
	path  string
	lines chan string // closed when the server is gone
	kept  []string
}

func newFarEnd(t *testing.T) *farEnd {
	t.Helper()
	f := &farEnd{path: filepath.Join(t.TempDir(), "record"), lines: make(chan string, 1<<10)}
	listener, err := net.Listen("unix", f.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		defer close(f.lines)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			f.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	return f
}

// serve has a configuration use the rogue server, in a mode.
func (f *farEnd) serve(c *Config, mode string) {
	c.Upstream = upstream.Server{Path: rogue.path, SHA256: rogue.digest, Guard: upstream.Guard{Optional: true},
		Env: []string{"POSTERN_MODE=" + mode, "POSTERN_CANARY=" + planted, "POSTERN_RECORD=" + f.path}}
}

// until keeps lines until one with a text in it, or to the end.
func (f *farEnd) until(t *testing.T, text string) {
	t.Helper()
	hung := time.After(20 * time.Second)
	for {
		select {
		case line, more := <-f.lines:
			if !more {
				if text != "" {
					t.Errorf("the server ended without %q", text)
				}
				return
			}
			f.kept = append(f.kept, line)
			if text != "" && strings.Contains(line, text) {
				return
			}
		case <-hung:
			t.Error("the server neither ended nor said it")
			return
		}
	}
}

// read is what the server read, and wrote what it wrote on stdout and stderr.
func (f *farEnd) read() []string  { return f.stream("stdin ") }
func (f *farEnd) wrote() []string { return append(f.stream("stdout "), f.stream("stderr ")...) }

func (f *farEnd) stream(name string) (out []string) {
	for _, line := range f.kept {
		if rest, ok := strings.CutPrefix(line, name); ok {
			out = append(out, rest)
		}
	}
	return out
}

// holds reports whether a text has what was planted, in any of the forms in which
// the rogue server writes it.
func holds(text string) bool {
	return strings.Contains(text, planted) || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(planted)))
}

// converse leads a session of an agent that calls twice, and returns every byte
// that it is sent behind the initial line.
func converse(ctx context.Context, t *testing.T, g *Gateway) (string, bridge.Result) {
	t.Helper()
	agentIn, hostIn := io.Pipe()
	hostOut, agentOut := io.Pipe()
	var sent bytes.Buffer
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer agentOut.Close()
		defer agentIn.Close()
		said := stdcopy.NewStdWriter(agentOut, stdcopy.Stdout)
		in := bufio.NewReader(io.TeeReader(agentIn, &sent))
		for range 2 {
			if _, err := in.ReadString('\n'); err != nil {
				return
			}
			io.WriteString(said, deliver(`{"text":"`+secret+`"}`))
		}
		in.ReadString('\n') // the reply to the last
		agentOut.Close()
		io.Copy(io.Discard, in)
	}()
	stream := bridge.Stream{Stdin: hostIn, Output: hostOut, Close: func() error { hostIn.Close(); return hostOut.Close() }}
	result := bridge.Exchange(ctx, stream, []byte("{}"), bridge.Limits{}, g.Handle)
	hostOut.Close()
	<-ended
	return strings.TrimPrefix(sent.String(), "{}\n"), result
}

// holdsNothing demands that nothing planted is in what the agent was sent, in the
// audit log, in spans or in the log of a session that is closed.
func (s *told) holdsNothing(t *testing.T, sent string) {
	t.Helper()
	where := map[string]string{"reply": sent}
	files, err := filepath.Glob(s.config.Audit + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of the audit log, %v", len(files), err)
	}
	for _, file := range append(files, s.log) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		where[filepath.Base(file)] = string(content)
	}
	s.mu.Lock()
	where["spans"] = s.spans.String()
	s.mu.Unlock()
	if !strings.Contains(where["audit.db"], "vault_store") {
		t.Error("the audit log has no row of the tool's")
	}
	for name, content := range where {
		if holds(content) || name != "reply" && strings.Contains(content, secret) {
			t.Errorf("%s holds what it must not", name)
		}
	}
}

// numbered puts an id where a line has $ID.
func numbered(line string, id int) string { return strings.ReplaceAll(line, "$ID", strconv.Itoa(id)) }
