// Package bridge is the bounded exchange between a container's attached stdio
// and the gateway: one initial line in, call frames out, one reply line each.
//
// Everything the agent sends is bounded: each frame, the number of calls, all
// bytes on stdout and stderr together, and the time of the session. Bytes on
// stderr are counted and dropped; of stdout only the calls are kept. A session
// ends with one Outcome, a closed word, and leaves no goroutine behind.
//
// It knows no policy, tool or container, and it does not judge an exit: a clean
// end of output is Completed even if the process behind it crashed.
package bridge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"postern/gateway/frame"
)

// Stream is the attached stdio of one container.
type Stream struct {
	// Stdin takes the lines for the agent. Exchange closes it on a Completed end.
	Stdin io.WriteCloser
	// Output is the raw attach stream: stdout and stderr, multiplexed by the
	// Engine. Exchange reads it as it comes, also while a call is handled.
	Output io.Reader
	// Close must end a blocked Stdin.Write and a blocked Output.Read. Exchange
	// calls it exactly once on every end but Completed, and not at all then.
	Close func() error
	// Reported, where set, is called each time the agent has said what it
	// tried, while it waits for the answer. Exchange returns only after it.
	Reported func(ctx context.Context)
	// Weak takes checks of the frame decoder away. It exists for the harness; a
	// test keeps it there.
	Weak frame.Weakness
}

// Handler decides one call. Exchange never runs two at a time and returns only
// after it, so it must return soon after ctx ends. A panic counts as a
// Fatal GatewayUnavailable; its value, which may hold plaintext, is dropped.
type Handler func(ctx context.Context, c frame.Call) Reply

// Result says what a session was.
type Result struct {
	Outcome     Outcome
	Refused     frame.Code     // why, for FrameRefused and FrameOversized
	Calls       int            // calls begun, reports included, at most Limits.Calls
	StdoutBytes int64          // read from the agent; together at most
	StderrBytes int64          // one byte more than Limits.Output
	Attempts    map[string]int // errno by channel; nil without a report
}

// The ends of a session that its context carries as its cause.
var (
	errSessionTime = errors.New("session time is over")
	errOutputLimit = errors.New("output limit is exceeded")
)

// Exchange runs one session to its end. The initial line comes without its LF.
//
// Where several ends apply, the first of these wins:
//  1. OutputLimit, once the limit was seen exceeded;
//  2. Canceled or SessionTime, whichever came first;
//  3. the Fatal of a handler;
//  4. the end of the output, decided by the order of its bytes alone: the calls
//     ahead of a refused frame are handled, and nothing behind it is read. So a
//     bad frame ahead of a flood is always FrameRefused, and behind it OutputLimit.
//
// An agent that closes its stdin does not end the session by that: its replies
// are dropped. One that leaves it open and does not read holds the session up
// until its time is over, once the buffers on the way are full. Limits that fail
// Validate, or an initial line with an LF in it, are GatewayUnavailable, and the
// agent gets no byte.
func Exchange(ctx context.Context, s Stream, initial []byte, l Limits, h Handler) Result {
	l = l.withDefaults()
	if l.Validate() != nil || bytes.IndexByte(initial, '\n') >= 0 {
		s.Close() // an error here has no better name than the outcome
		return Result{Outcome: GatewayUnavailable}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx, stopTimer := context.WithTimeoutCause(ctx, l.Session, errSessionTime)
	defer stopTimer()
	closed := make(chan struct{})
	leaveOpen := context.AfterFunc(ctx, func() {
		defer close(closed)
		s.Close()
	})

	in := newIntake(s.Output, l, s.Weak)
	go in.run(func() { cancel(errOutputLimit) })
	d := dialogue{stdin: s.Stdin, limit: l.Reply, handle: h, reported: s.Reported, begun: time.Now(), quantum: l.Quantum}
	end := d.run(ctx, initial, in)

	end = finish(ctx, s, end, leaveOpen, closed)
	for range in.calls { // until the intake has ended; nobody answers these
	}
	if in.end == OutputLimit {
		end = OutputLimit
	}
	r := Result{
		Outcome:     end,
		Calls:       d.calls,
		StdoutBytes: in.output.stdout,
		StderrBytes: in.output.stderr,
		Attempts:    in.attempts,
	}
	if end == FrameRefused || end == FrameOversized {
		r.Refused = in.refused
	}
	return r
}

// finish closes what an end closes, unless ctx has done so, and names the end.
func finish(ctx context.Context, s Stream, end Outcome, leaveOpen func() bool, closed <-chan struct{}) Outcome {
	ours := leaveOpen() // to close; even so ctx may have ended meanwhile
	if !ours {
		<-closed
	}
	if ctx.Err() != nil {
		end = interruption(ctx)
	}
	switch {
	case ours && end == Completed:
		s.Stdin.Close() // no reply follows; an error means that the agent is gone
	case ours:
		s.Close()
	}
	return end
}

// interruption names the end of a context that ended.
func interruption(ctx context.Context) Outcome {
	switch context.Cause(ctx) {
	case errSessionTime:
		return SessionTime
	case errOutputLimit:
		return OutputLimit
	}
	return Canceled
}
