package watchdog

import (
	"context"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"
)

// The program's ends of the pipes. They are not the standard streams, which
// the Go runtime opens on /dev/null: a write to those after the bridge's death
// would end the program by SIGPIPE (os/signal), just when it has to act.
const (
	beatsFD   = 3
	answersFD = 4
)

// Main is the program that Arm starts. It returns an exit code.
//
// Being hung up on, and Ctrl-C and its like, are for the process group of
// whoever armed it: it is in another and ignores them besides. SIGTERM is for
// itself: it kills the container and exits, as a machine that shuts down wants.
func Main(args []string) int {
	o, err := parse(args)
	if err != nil || !isPipe(beatsFD) || !isPipe(answersFD) {
		os.Stderr.WriteString("postern watchdog: started by postern itself, never by hand\n")
		return ExitUsage
	}
	signal.Ignore(unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTSTP)
	term := make(chan os.Signal, 1)
	signal.Notify(term, unix.SIGTERM)
	debug.SetGCPercent(20) // a heap of some hundred KiB, not of 4 MiB before the first collection
	for _, fd := range []int{beatsFD, answersFD} {
		if unix.SetNonblock(fd, true) != nil { // without it there are no deadlines
			return ExitUsage
		}
	}
	p := program{order: o, engine: newEngine(o.socket, o.container), term: term, init: &initProcess{fd: -1},
		beats: os.NewFile(beatsFD, "heartbeats"), answers: os.NewFile(answersFD, "answers")}
	return p.run()
}

func isPipe(fd int) bool {
	var s unix.Stat_t
	return unix.Fstat(fd, &s) == nil && s.Mode&unix.S_IFMT == unix.S_IFIFO
}

// program is the watchdog while it runs.
type program struct {
	order
	engine         *engine
	init           *initProcess
	beats, answers *os.File
	term           <-chan os.Signal
}

// run waits to be armed, and then for the end: told, or found.
func (p *program) run() int {
	done := make(chan struct{})
	defer close(done)
	received := receive(p.beats, done)
	lease := time.NewTimer(p.timing.Lease)
	defer lease.Stop()
	select {
	case m, ok := <-received:
		if !ok || m.kind != arm || m.number > math.MaxInt32 {
			return p.stop()
		}
		if why := p.arm(int(m.number)); why != noReason {
			if p.say(message{refused, uint64(why)}) != nil {
				return p.stop() // there is nobody left to stop it
			}
			return ExitRefused
		}
	case <-lease.C:
		return p.stop()
	case <-p.term:
		return p.stop()
	}
	if p.watch(received, lease) {
		return ExitDisarmed
	}
	return p.stop()
}

// arm takes hold of the process first and asks the Engine about it then, so
// that the answer is about the process that is held.
func (p *program) arm(pid int) reason {
	if !p.noPidfd {
		held, why := holdInit(pid, p.container)
		if why != noReason {
			return why
		}
		p.init = held
	}
	if p.socket == "" {
		if !p.init.held() {
			return noHold
		}
		return noReason
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.timing.StopTry)
	defer cancel()
	now, err := p.engine.look(ctx)
	switch {
	case err != nil:
		return engineSilent
	case !now.running:
		return notRunning
	case now.pid != pid:
		return otherProcess
	}
	return noReason
}

// watch answers heartbeats and reports whether it was told to leave. What is
// neither the next heartbeat nor that is as good as none.
func (p *program) watch(received <-chan message, lease *time.Timer) (disarmed bool) {
	hold := uint64(0)
	if p.init.held() {
		hold = 1
	}
	if p.say(message{armed, hold}) != nil {
		return false
	}
	for number := uint64(1); ; number++ {
		m, ok := p.next(received, lease)
		if !ok || m.number != number || m.kind != beat && m.kind != disarm {
			return false
		}
		if p.say(message{answered, number}) != nil {
			return false
		}
		if m.kind == disarm {
			return true
		}
	}
}

// next waits for a message, no longer than a lease.
func (p *program) next(received <-chan message, lease *time.Timer) (m message, ok bool) {
	allowed := waitFor(p.timing.Lease, p.timing.Lease/8)
	lease.Reset(p.timing.Lease)
	expired := lease.C
	if p.noDeadline {
		expired = nil
	}
	for {
		select {
		case m, ok = <-received:
			return m, ok
		case <-expired:
			longer, over := allowed.over(time.Now())
			if over {
				return m, false
			}
			lease.Reset(longer)
		case <-p.term:
			return m, false
		}
	}
}

// say writes an answer. A bridge that does not read is given one lease.
func (p *program) say(m message) error {
	if err := p.answers.SetWriteDeadline(time.Now().Add(p.timing.Lease)); err != nil {
		return err
	}
	_, err := p.answers.Write(m.encode())
	return err
}

// stop kills the container: its first process at once, then whatever the
// Engine takes for it.
func (p *program) stop() int {
	p.init.strike() // the Engine is asked either way
	if p.socket == "" {
		if !p.init.gone(p.timing) {
			return ExitUnconfirmed
		}
		return ExitStopped
	}
	if p.engine.stop(context.Background(), p.timing) != nil {
		return ExitUnconfirmed
	}
	return ExitStopped
}
