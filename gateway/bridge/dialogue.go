package bridge

import (
	"context"
	"io"
	"time"

	"postern/gateway/frame"
)

// dialogue is the side of a session that answers, one call after another.
type dialogue struct {
	stdin  io.Writer
	limit  int // bytes of a reply line
	handle Handler
	calls  int  // begun
	deaf   bool // a write failed: the agent does not listen any more

	reported func(context.Context) // may be nil

	begun   time.Time
	quantum time.Duration // 0: calls are taken as they come
	ticks   int           // multiples of the quantum that are over for calls
}

// run writes the initial line and answers calls until the intake ends, whose
// end it returns; until a Fatal, which it returns; or until ctx ends.
func (d *dialogue) run(ctx context.Context, initial []byte, in *intake) Outcome {
	if ctx.Err() != nil {
		return "" // not even the initial line: it holds plaintext
	}
	d.write(append(initial[:len(initial):len(initial)], '\n'))
	for {
		select {
		case <-ctx.Done():
			return ""
		case c, more := <-in.calls:
			if !more {
				return in.end
			}
			d.pace(ctx)
			if ctx.Err() != nil {
				return "" // select chooses at random, a session does not
			}
			d.calls++
			r := d.answer(ctx, c)
			if ctx.Err() != nil {
				return "" // the reply may be an effect of that
			}
			d.write(r.line(d.limit))
			if r.Fatal != "" {
				return fatal(r.Fatal)
			}
		}
	}
}

// pace waits for the next multiple of the quantum. Whoever sees when calls are
// handled, a tool server or a reader of the audit log, then learns of an agent's
// own timing no more than which multiples had a call.
func (d *dialogue) pace(ctx context.Context) {
	if d.quantum == 0 {
		return
	}
	d.ticks = max(d.ticks, int(time.Since(d.begun)/d.quantum)) + 1
	select {
	case <-time.After(time.Until(d.begun.Add(time.Duration(d.ticks) * d.quantum))):
	case <-ctx.Done():
	}
}

func (d *dialogue) answer(ctx context.Context, c frame.Call) (r Reply) {
	if c.Operation == reportOperation {
		if d.reported != nil {
			d.reported(ctx)
		}
		return Reply{empty: true} // the intake has taken it
	}
	defer func() {
		if recover() != nil {
			r = Reply{Code: string(GatewayUnavailable), Fatal: GatewayUnavailable}
		}
	}()
	return d.handle(ctx, c)
}

// write sends one line. That nobody takes it is for the output to tell: the
// moment at which a write starts to fail depends on buffers, its end does not.
func (d *dialogue) write(line []byte) {
	if d.deaf {
		return
	}
	_, err := d.stdin.Write(line)
	d.deaf = err != nil
}
