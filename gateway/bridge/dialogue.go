package bridge

import (
	"context"
	"io"

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
