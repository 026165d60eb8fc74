package watchdog

import (
	"errors"
	"flag"
	"io"
	"strconv"
)

// Exit codes of the program.
const (
	ExitDisarmed    = 0 // told to leave; the container was not touched
	ExitUsage       = 2 // wrong arguments, or not started by Arm; nothing was done
	ExitRefused     = 3 // could not be armed and said so; the container was not touched
	ExitStopped     = 4 // the container was killed, and the Engine says that it does not run
	ExitUnconfirmed = 5 // the container was killed in every way, and the Engine does not say so
)

// order is the program's arguments: all that it knows.
type order struct {
	socket, container string
	timing            Timing // only what bounds the program
	noDeadline        bool
	noPidfd           bool
}

// arguments are what parse reads.
func (o Options) arguments() []string {
	args := []string{
		"-container", o.Container, "-socket", o.Socket,
		"-lease", o.Timing.Lease.String(), "-stop", o.Timing.StopTry.String(), "-tries", strconv.Itoa(o.Timing.Tries),
	}
	if o.Weak.NoDeadline {
		args = append(args, "-no-deadline")
	}
	if o.Weak.NoPidfd {
		args = append(args, "-no-pidfd")
	}
	return args
}

func parse(args []string) (order, error) {
	var o order
	set := flag.NewFlagSet("watchdog", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&o.container, "container", "", "")
	set.StringVar(&o.socket, "socket", "", "")
	set.DurationVar(&o.timing.Lease, "lease", 0, "")
	set.DurationVar(&o.timing.StopTry, "stop", 0, "")
	set.IntVar(&o.timing.Tries, "tries", 0, "")
	set.BoolVar(&o.noDeadline, "no-deadline", false, "")
	set.BoolVar(&o.noPidfd, "no-pidfd", false, "")
	if err := set.Parse(args); err != nil {
		return o, err
	}
	if set.NArg() > 0 {
		return o, errors.New("too many arguments")
	}
	if o.timing.Lease <= 0 || o.timing.Lease > maxLease {
		return o, errors.New("a lease out of bounds")
	}
	return o, errors.Join(aim(o.socket, o.container), o.timing.validateStop())
}
