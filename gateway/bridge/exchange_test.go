package bridge_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/docker/docker/pkg/stdcopy"
	"github.com/google/go-cmp/cmp"

	"postern/gateway/bridge"
	"postern/gateway/frame"
)

func TestFramesOfOneWriteAreHandledOneByOneInOrder(t *testing.T) {
	var running atomic.Int32
	var handled []string // only ever touched by one call at a time, as -race confirms
	var replies []string
	s := session{
		pipe: kernel(t),
		handler: func(_ context.Context, c frame.Call) bridge.Reply {
			if running.Add(1) != 1 {
				t.Error("two calls at a time")
			}
			defer running.Add(-1)
			handled = append(handled, c.Operation)
			return bridge.Reply{Text: c.Operation}
		},
		agent: func(a *agent) {
			a.hear()
			a.say(call("a", "") + call("b", "") + report + call("c", ""))
			for range 4 {
				replies = append(replies, a.hear())
			}
		},
	}
	if r, _ := s.run(t); r.Outcome != bridge.Completed || r.Calls != 4 {
		t.Errorf("%s after %d calls", r.Outcome, r.Calls)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, handled); diff != "" {
		t.Errorf("handled (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		`{"status":"ok","result":{"text":"a"}}`,
		`{"status":"ok","result":{"text":"b"}}`,
		`{"status":"ok","result":{}}`,
		`{"status":"ok","result":{"text":"c"}}`,
	}, replies); diff != "" {
		t.Errorf("replies (-want +got):\n%s", diff)
	}
}

func TestTheAgentHearsTheInitialLineAndThenReplies(t *testing.T) {
	var heard []string
	s := session{pipe: memory, initial: `{"mode":"normal"}`, handler: ok, agent: func(a *agent) {
		heard = append(heard, a.hear())
		a.say(call("deliver", "a"))
		heard = append(heard, a.hear())
	}}
	s.run(t)
	if diff := cmp.Diff([]string{`{"mode":"normal"}`, okLine}, heard); diff != "" {
		t.Errorf("heard (-want +got):\n%s", diff)
	}
}

func TestTheReplyOfAFatalCallStillArrives(t *testing.T) {
	var heard, after string
	s := session{pipe: memory,
		handler: func(context.Context, frame.Call) bridge.Reply {
			return bridge.Reply{Code: "upstream-failed", Fatal: bridge.UpstreamFailed}
		},
		agent: func(a *agent) {
			a.hear()
			a.say(call("deliver", "a"))
			heard, after = a.hear(), a.hear()
		},
	}
	s.run(t)
	if heard != `{"status":"error","code":"upstream-failed"}` || after != "" {
		t.Error("the agent heard something else than the one reply")
	}
}

func TestAnAgentThatOutlivesItsOutputSeesItsStdinEnd(t *testing.T) {
	var err error
	s := session{pipe: kernel(t), handler: ok, agent: func(a *agent) {
		a.hear()
		a.raw.Close()
		_, err = a.lines.ReadString('\n')
	}}
	if r, _ := s.run(t); r.Outcome != bridge.Completed {
		t.Errorf("ended as %q", r.Outcome)
	}
	if err != io.EOF {
		t.Errorf("reading stdin ended with %v", err)
	}
}

func TestBytesAreCounted(t *testing.T) {
	line := call("deliver", "a")
	s := session{pipe: memory, handler: ok, agent: func(a *agent) {
		a.stderr.Write(make([]byte, 70_000))
		a.say(line[:10])
		a.stderr.Write(make([]byte, 7))
		a.say(line[10:])
		a.hear()
		a.hear()
	}}
	r, _ := s.run(t)
	if r.StdoutBytes != int64(len(line)) || r.StderrBytes != 70_007 || r.Calls != 1 {
		t.Errorf("%d bytes on stdout, %d on stderr, %d calls", r.StdoutBytes, r.StderrBytes, r.Calls)
	}
}

func TestTheOutputLimitStopsAtOneByteOver(t *testing.T) {
	s := session{pipe: memory, handler: ok, limits: bridge.Limits{Output: 1000}, agent: func(a *agent) {
		a.stderr.Write(make([]byte, 1<<20))
		<-a.gone
	}}
	if r, _ := s.run(t); r.StderrBytes != 1001 {
		t.Errorf("read %d bytes, want 1001", r.StderrBytes)
	}
}

func TestTheHandlerHasTheSessionsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var deadline time.Time
		s := session{pipe: memory, limits: bridge.Limits{Session: 5 * time.Second},
			handler: func(ctx context.Context, _ frame.Call) bridge.Reply {
				deadline, _ = ctx.Deadline()
				return bridge.Reply{}
			},
			agent: func(a *agent) { a.hear(); a.say(call("a", "")); <-a.gone },
		}
		r, _ := s.run(t)
		if r.Outcome != bridge.SessionTime || time.Since(start) != 5*time.Second {
			t.Errorf("%q after %v", r.Outcome, time.Since(start))
		}
		if deadline.Sub(start) != 5*time.Second {
			t.Errorf("the handler's deadline is after %v", deadline.Sub(start))
		}
	})
}

// Whatever the agent's own rhythm, a call is handled at a multiple of the
// quantum, and no other at the same one.
func TestAQuantumHidesTheAgentsRhythm(t *testing.T) {
	const quantum = 100 * time.Millisecond
	rhythms := map[string][]time.Duration{
		"together":   {0, 0, 0},
		"in a tick":  {10 * time.Millisecond, 30 * time.Millisecond, 5 * time.Millisecond},
		"with rests": {250 * time.Millisecond, 120 * time.Millisecond, 301 * time.Millisecond},
	}
	want := map[string][]int{"together": {1, 2, 3}, "in a tick": {1, 2, 3}, "with rests": {3, 4, 7}}
	for name, rests := range rhythms {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var ticks []int
			s := session{pipe: memory, limits: bridge.Limits{Quantum: quantum},
				handler: func(context.Context, frame.Call) bridge.Reply {
					if since := time.Since(start); since%quantum != 0 {
						t.Errorf("%s: a call is handled after %v", name, since)
					}
					ticks = append(ticks, int(time.Since(start)/quantum))
					return bridge.Reply{}
				},
				agent: func(a *agent) {
					a.hear()
					answered := make(chan struct{})
					go func() {
						defer close(answered)
						for range rests {
							a.hear()
						}
					}()
					for _, rest := range rests {
						time.Sleep(rest)
						a.say(call("a", ""))
					}
					<-answered
				},
			}
			if r, _ := s.run(t); r.Outcome != bridge.Completed {
				t.Errorf("%s: ended as %q", name, r.Outcome)
			}
			if diff := cmp.Diff(want[name], ticks); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

func TestAFailureThatTheEndOfTimeCausesIsNotTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		check(t, session{pipe: memory,
			handler: func(ctx context.Context, _ frame.Call) bridge.Reply {
				<-ctx.Done()
				return bridge.Reply{Code: "upstream-failed", Fatal: bridge.UpstreamFailed}
			},
			agent: func(a *agent) { a.hear(); a.say(call("a", "")); <-a.gone },
		}, bridge.Result{Outcome: bridge.SessionTime, Calls: 1})
	})
}

func TestThirtySecondsIsTheDefaultSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := session{pipe: memory, handler: ok, agent: func(a *agent) { <-a.gone }}
		if r, _ := s.run(t); r.Outcome != bridge.SessionTime || time.Since(start) != 30*time.Second {
			t.Errorf("%q after %v", r.Outcome, time.Since(start))
		}
	})
}

// The last bytes arrive while Exchange already closes the stream.
func TestTheOutputLimitWinsOverAnEndThatCameFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, far := io.Pipe()
		s := bridge.Stream{Stdin: &written{}, Output: out, Close: func() error {
			stdcopy.NewStdWriter(far, stdcopy.Stderr).Write(make([]byte, 101))
			return out.Close()
		}}
		if r := bridge.Exchange(t.Context(), s, nil, bridge.Limits{Output: 100}, ok); r.Outcome != bridge.OutputLimit {
			t.Errorf("ended as %q", r.Outcome)
		}
	})
}

func TestExchangeReturnsAfterItsLastRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &reluctant{closed: make(chan struct{})}
		s := bridge.Stream{Stdin: &written{}, Output: r, Close: func() error { close(r.closed); return nil }}
		bridge.Exchange(t.Context(), s, nil, bridge.Limits{}, ok)
		if !r.left.Load() {
			t.Error("a goroutine still reads the stream")
		}
	})
}

// reluctant takes a while to leave Read once it is closed.
type reluctant struct {
	closed chan struct{}
	left   atomic.Bool
}

func (r *reluctant) Read([]byte) (int, error) {
	<-r.closed
	time.Sleep(time.Second) // of a bubble
	r.left.Store(true)
	return 0, io.ErrClosedPipe
}

func TestNoReplyIsWrittenOnceTheSessionIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, far := io.Pipe()
	go io.WriteString(stdcopy.NewStdWriter(far, stdcopy.Stdout), call("deliver", "a"))
	var stdin written
	s := bridge.Stream{Stdin: &stdin, Output: out, Close: out.Close}
	r := bridge.Exchange(ctx, s, []byte("{}"), bridge.Limits{}, func(context.Context, frame.Call) bridge.Reply {
		cancel()
		return bridge.Reply{Text: "late"}
	})
	if r.Outcome != bridge.Canceled || stdin.String() != "{}\n" {
		t.Errorf("%q with %d bytes written", r.Outcome, stdin.Len())
	}
}

// A call that waits in the queue when the session ends is never begun. The
// choice of select is random, so once would prove nothing.
func TestNoCallBeginsOnceTheSessionIsOver(t *testing.T) {
	for range 32 {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out, far := io.Pipe()
			go io.WriteString(stdcopy.NewStdWriter(far, stdcopy.Stdout), call("a", "")+call("b", ""))
			s := bridge.Stream{Stdin: &cancels{cancel: cancel}, Output: out, Close: out.Close}
			r := bridge.Exchange(ctx, s, nil, bridge.Limits{}, func(context.Context, frame.Call) bridge.Reply {
				synctest.Wait() // until the second call is in the queue
				return bridge.Reply{}
			})
			if r.Outcome != bridge.Canceled || r.Calls != 1 {
				t.Errorf("%q after %d calls", r.Outcome, r.Calls)
			}
		})
	}
}

// cancels ends the caller's context on its second line, the first reply.
type cancels struct {
	written
	lines  int
	cancel func()
}

func (c *cancels) Write(p []byte) (int, error) {
	if c.lines++; c.lines == 2 {
		c.cancel()
	}
	return len(p), nil
}

func TestACanceledSessionGivesTheAgentNoByte(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdin written
	r := bridge.Exchange(ctx, stream(&stdin, strings.NewReader("")), []byte("{}"), bridge.Limits{}, ok)
	if r.Outcome != bridge.Canceled || stdin.Len() != 0 {
		t.Errorf("%q with %d bytes written", r.Outcome, stdin.Len())
	}
}

func TestTheCallersOwnDeadlineIsACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		out, far := io.Pipe()
		defer far.Close()
		s := bridge.Stream{Stdin: &written{}, Output: out, Close: out.Close}
		if r := bridge.Exchange(ctx, s, nil, bridge.Limits{}, ok); r.Outcome != bridge.Canceled {
			t.Errorf("ended as %q", r.Outcome)
		}
	})
}

func TestASessionThatCannotBeginGivesTheAgentNoByte(t *testing.T) {
	for _, r := range []struct {
		name    string
		initial string
		limits  bridge.Limits
	}{
		{"two lines", "{}\n{}", bridge.Limits{}},
		{"line with its LF", "{}\n", bridge.Limits{}},
		{"negative limit", "{}", bridge.Limits{Session: -1}},
	} {
		var stdin written
		got := bridge.Exchange(t.Context(), stream(&stdin, strings.NewReader("")), []byte(r.initial), r.limits, ok)
		if got.Outcome != bridge.GatewayUnavailable || stdin.Len() != 0 {
			t.Errorf("%s: %q with %d bytes written", r.name, got.Outcome, stdin.Len())
		}
	}
}

func TestAReadErrorLosesTheStream(t *testing.T) {
	for _, read := range []io.Reader{
		iotest.ErrReader(errors.New("connection reset")),
		io.MultiReader(strings.NewReader("\x01\x00\x00\x00\x00\x00\x00\x05{"), iotest.ErrReader(errors.New("connection reset"))),
		iotest.ErrReader(io.ErrUnexpectedEOF),
	} {
		r := bridge.Exchange(t.Context(), stream(&written{}, read), nil, bridge.Limits{}, ok)
		if r.Outcome != bridge.StreamLost {
			t.Errorf("ended as %q", r.Outcome)
		}
	}
}

func TestTheInitialLineIsNotChanged(t *testing.T) {
	backing := []byte("{}canary")
	bridge.Exchange(t.Context(), stream(&written{}, strings.NewReader("")), backing[:2], bridge.Limits{}, ok)
	if string(backing) != "{}canary" {
		t.Error("Exchange wrote behind the initial line")
	}
}

// written keeps what was written to it.
type written struct{ bytes.Buffer }

func (*written) Close() error { return nil }

func stream(stdin io.WriteCloser, output io.Reader) bridge.Stream {
	return bridge.Stream{Stdin: stdin, Output: output, Close: func() error { return nil }}
}
