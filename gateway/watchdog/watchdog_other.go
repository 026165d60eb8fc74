//go:build !linux

package watchdog

import (
	"context"
	"errors"
	"os"
)

// The Engine must run on this kernel, which only Linux gives.
var errUnsupported = errors.New("the watchdog is not supported on this system")

// Lease cannot exist here.
type Lease struct{ Pidfd bool }

// Arm refuses.
func Arm(context.Context, Options) (*Lease, error) { return nil, errUnsupported }

// PID is none.
func (*Lease) PID() int { return 0 }

// Lost is closed: there is no watchdog.
func (*Lease) Lost() <-chan struct{} {
	lost := make(chan struct{})
	close(lost)
	return lost
}

// Strike refuses.
func (*Lease) Strike() error { return errUnsupported }

// Abandon has nothing to leave.
func (*Lease) Abandon() {}

// Disarm says that there was nothing to disarm.
func (*Lease) Disarm(context.Context) error { return ErrLost }

// Main refuses.
func Main([]string) int {
	os.Stderr.WriteString("postern watchdog: " + errUnsupported.Error() + "\n")
	return ExitUsage
}
