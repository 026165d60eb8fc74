package bridge

import (
	"cmp"
	"fmt"
	"time"

	"postern/gateway/frame"
)

// Hard maxima of Limits, beyond those of package frame. A session holds no more
// than Output bytes of waiting calls, one frame and one reply, and a small
// multiple of a frame while it is decoded.
const (
	MaxOutput  = 64 << 20
	MaxCalls   = 1024
	MaxSession = 10 * time.Minute
	MaxReply   = 4 << 20
	MaxQuantum = 10 * time.Second
)

// Limits bound one session. A zero field takes the default.
type Limits struct {
	Frame   frame.Limits  // one frame: 64 KiB and 16 levels
	Output  int64         // bytes of stdout and stderr together: 1 MiB
	Calls   int           // calls, reports included: 16
	Session time.Duration // from the call of Exchange to its return: 30 s
	Reply   int           // bytes of one reply line, longer ones become an error reply: 256 KiB
	Quantum time.Duration // calls are taken one at a time, at multiples of it since the session began: none
}

// DefaultLimits returns what zero fields stand for.
func DefaultLimits() Limits {
	return Limits{
		Frame:   frame.Limits{Bytes: frame.DefaultBytes, Depth: frame.DefaultDepth},
		Output:  1 << 20,
		Calls:   16,
		Session: 30 * time.Second,
		Reply:   256 << 10,
	}
}

// Validate refuses what no session may have: a negative field, or one above its
// hard maximum. Zero fields are defaults and pass.
func (l Limits) Validate() error {
	for _, f := range []struct {
		name       string
		value, top int64
	}{
		{"frame bytes", int64(l.Frame.Bytes), frame.MaxBytes},
		{"frame depth", int64(l.Frame.Depth), frame.MaxDepth},
		{"output bytes", l.Output, MaxOutput},
		{"calls", int64(l.Calls), MaxCalls},
		{"session nanoseconds", int64(l.Session), int64(MaxSession)},
		{"reply bytes", int64(l.Reply), MaxReply},
		{"quantum nanoseconds", int64(l.Quantum), int64(MaxQuantum)},
	} {
		if f.value < 0 || f.value > f.top {
			return fmt.Errorf("bridge limits: %s is %d, not within 0..%d", f.name, f.value, f.top)
		}
	}
	return nil
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	return Limits{
		Frame:   frame.Limits{Bytes: cmp.Or(l.Frame.Bytes, d.Frame.Bytes), Depth: cmp.Or(l.Frame.Depth, d.Frame.Depth)},
		Output:  cmp.Or(l.Output, d.Output),
		Calls:   cmp.Or(l.Calls, d.Calls),
		Session: cmp.Or(l.Session, d.Session),
		Reply:   cmp.Or(l.Reply, d.Reply),
		Quantum: l.Quantum,
	}
}
