package bridge_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/docker/docker/pkg/stdcopy"

	"postern/gateway/bridge"
	"postern/gateway/frame"
)

// agent is the far side of a stream, played by a test.
type agent struct {
	stdin  io.ReadCloser
	lines  *bufio.Reader  // of stdin
	raw    io.WriteCloser // what the Engine writes
	stdout io.Writer      // multiplexed into raw as the Engine does it
	stderr io.Writer
	gone   <-chan struct{} // closed once Exchange closed the stream
	begun  <-chan struct{} // has a value for each call that the handler began
	cancel func()          // ends the caller's context
}

// say writes to stdout, whether or not anybody still reads it.
func (a *agent) say(text string) { io.WriteString(a.stdout, text) }

// hear reads one line, without its LF; "" at the end.
func (a *agent) hear() string {
	line, _ := a.lines.ReadString('\n')
	return strings.TrimSuffix(line, "\n")
}

// session is one Exchange against a played agent.
type session struct {
	pipe    func() (io.ReadCloser, io.WriteCloser)
	initial string
	limits  bridge.Limits
	handler bridge.Handler
	agent   func(a *agent)
}

// run returns the result once the agent has ended too, and how often the stream was closed.
func (s session) run(t testing.TB) (r bridge.Result, closes int) {
	t.Helper()
	agentIn, hostIn := s.pipe()
	hostOut, agentOut := s.pipe()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	gone := make(chan struct{})
	begun := make(chan struct{}, bridge.MaxCalls)
	a := &agent{
		stdin: agentIn, lines: bufio.NewReader(agentIn), raw: agentOut,
		stdout: stdcopy.NewStdWriter(agentOut, stdcopy.Stdout),
		stderr: stdcopy.NewStdWriter(agentOut, stdcopy.Stderr),
		gone:   gone, begun: begun, cancel: cancel,
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.agent(a)
		agentOut.Close()
		agentIn.Close()
	}()
	stream := bridge.Stream{Stdin: hostIn, Output: hostOut, Close: func() error {
		closes++
		if closes == 1 {
			close(gone)
		}
		hostIn.Close()
		return hostOut.Close()
	}}
	if s.initial == "" {
		s.initial = "{}"
	}
	r = bridge.Exchange(ctx, stream, []byte(s.initial), s.limits, func(ctx context.Context, c frame.Call) bridge.Reply {
		begun <- struct{}{}
		return s.handler(ctx, c)
	})
	if r.Outcome == bridge.Completed {
		hostOut.Close() // as the owner of a finished stream does
	}
	<-ended
	return r, closes
}

// memory pipes have no buffer at all, which is the hardest case, and work with
// synctest; kernel pipes are what a process has.
func memory() (io.ReadCloser, io.WriteCloser) { return io.Pipe() }

func kernel(t testing.TB) func() (io.ReadCloser, io.WriteCloser) {
	return func() (io.ReadCloser, io.WriteCloser) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatalf("making a pipe: %v", err)
		}
		return r, w
	}
}

func call(operation, text string) string {
	return `{"operation":"` + operation + `","arguments":{"text":"` + text + `"}}` + "\n"
}

func ok(context.Context, frame.Call) bridge.Reply { return bridge.Reply{Text: "done"} }

const okLine = `{"status":"ok","result":{"text":"done"}}`
