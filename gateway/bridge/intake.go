package bridge

import (
	"errors"
	"io"

	"postern/gateway/frame"
)

var errCallLimit = errors.New("call limit is exceeded")

// intake is the side of a session that reads. It decides everything that the
// agent's bytes decide, in their order and whatever the other side does, and
// never waits for it: calls has room for all that Limits.Calls lets through.
type intake struct {
	output *demux
	limits Limits
	weak   frame.Weakness
	calls  chan frame.Call // closed at the end; the fields below are final then

	end      Outcome
	refused  frame.Code
	attempts map[string]int
}

func newIntake(output io.Reader, l Limits, weak frame.Weakness) *intake {
	return &intake{
		output: newDemux(output, l.Output),
		limits: l,
		weak:   weak,
		calls:  make(chan frame.Call, l.Calls),
	}
}

// run reads to the end and calls flooded first if that is OutputLimit.
func (in *intake) run(flooded func()) {
	defer close(in.calls)
	frames := in.reader()
	for n := 0; ; n++ {
		c, err := in.next(frames, n)
		if err != nil {
			in.stop(err)
			break
		}
		in.calls <- c
	}
	if in.end == OutputLimit {
		flooded()
	}
}

func (in *intake) reader() *frame.Reader {
	if in.weak == (frame.Weakness{}) {
		return frame.NewReader(in.output, in.limits.Frame)
	}
	return frame.NewWeakReader(in.output, in.limits.Frame, in.weak)
}

// next returns a call that may be handled, after n of them.
func (in *intake) next(frames *frame.Reader, n int) (frame.Call, error) {
	c, err := frames.Next()
	switch {
	case err != nil:
		return c, err
	case n == in.limits.Calls:
		return c, errCallLimit
	case c.Operation == reportOperation:
		return c, in.report(c)
	}
	return c, nil
}

func (in *intake) report(c frame.Call) error {
	attempts, ok := parseReport(c.Arguments)
	if !ok || in.attempts != nil { // a second report could only contradict the first
		return &frame.Refusal{Code: frame.ReportInvalid}
	}
	in.attempts = attempts
	return nil
}

func (in *intake) stop(err error) {
	var refusal *frame.Refusal
	switch {
	case errors.As(err, &refusal):
		in.end, in.refused = FrameRefused, refusal.Code
		if refusal.Code == frame.Oversized {
			in.end = FrameOversized
		}
	case errors.Is(err, errOutputLimit):
		in.end = OutputLimit
	case errors.Is(err, errCallLimit):
		in.end = CallLimit
	case err == io.EOF:
		in.end = Completed
	default:
		in.end = StreamLost
	}
}
