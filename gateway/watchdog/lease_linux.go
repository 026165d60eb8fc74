package watchdog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Lease is the trusted side's end of an armed watchdog. Disarm must be called
// once the Engine said that the container does not run, whether or not the
// lease was lost.
type Lease struct {
	// Pidfd says that the program can kill without the Engine. Where the host
	// does not permit it, the Engine alone is relied on.
	Pidfd bool

	timing  Timing
	lenient bool // Weakness.NoAckCheck
	init    *initProcess
	process *os.Process
	beats   *os.File // to the program
	answers *os.File // from it

	received <-chan message
	end      func() // closes ending, once
	ending   chan struct{}
	done     chan struct{} // keep has returned
	lost     chan struct{}
	exited   chan struct{} // the program was reaped; code may be read
	code     int
}

// PID is the program's, for whoever injects faults into it.
func (l *Lease) PID() int { return l.process.Pid }

// Lost closes when the program is gone, or did not answer in time. The
// container's first process has been struck by then, where it could be; the
// session must end, and stop the container through the Engine.
func (l *Lease) Lost() <-chan struct{} { return l.lost }

// Strike kills the container's first process at once, by the trusted side's
// own pidfd. It fails where the host permits none, and after Disarm. It does
// not replace stopping through the Engine, which alone knows a paused one.
func (l *Lease) Strike() error { return l.init.strike() }

// keep sends heartbeats until it is told to end, or the lease is lost.
func (l *Lease) keep() {
	defer close(l.done)
	tick := time.NewTicker(l.timing.Heartbeat)
	defer tick.Stop()
	for number := uint64(1); ; number++ {
		if !l.exchange(message{beat, number}) || !l.quiet(tick.C) {
			l.lose()
			return
		}
		select {
		case <-l.ending:
			if !l.exchange(message{disarm, number + 1}) {
				l.lose()
			}
			return
		default:
		}
	}
}

// quiet waits for the next heartbeat, or for the end. Until then the program
// has nothing to say.
func (l *Lease) quiet(tick <-chan time.Time) bool {
	for {
		select {
		case <-tick:
			return true
		case <-l.ending:
			return true
		case <-l.exited:
			return false
		case _, ok := <-l.received:
			if !ok || !l.lenient {
				return false
			}
		}
	}
}

// exchange writes a message and waits for its answer, both within the limit.
func (l *Lease) exchange(m message) bool {
	limit := l.timing.Ack - l.timing.Heartbeat
	allowed := waitFor(limit, l.timing.Heartbeat)
	expired := time.NewTimer(limit)
	defer expired.Stop()
	err := l.write(m, limit)
	if l.lenient && m.kind == beat {
		return err == nil || errors.Is(err, os.ErrDeadlineExceeded)
	}
	if err != nil {
		return false
	}
	for {
		select {
		case got, ok := <-l.received:
			if l.lenient && ok && got.number != m.number {
				continue // of a heartbeat that nobody waited for
			}
			return ok && got == message{answered, m.number}
		case <-expired.C:
			longer, over := allowed.over(time.Now())
			if over {
				return false
			}
			expired.Reset(longer)
		}
	}
}

// write gives up when the pipe stays full.
func (l *Lease) write(m message, limit time.Duration) error {
	if err := l.beats.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return fmt.Errorf("bounding a write to the program: %w", err)
	}
	if _, err := l.beats.Write(m.encode()); err != nil {
		return fmt.Errorf("writing to the program: %w", err)
	}
	return nil
}

// lose strikes first and tells then. Closing our end lets a program that was
// only paused act as well, should it wake.
func (l *Lease) lose() {
	l.init.strike() // without a pidfd it is the session that kills
	l.beats.Close()
	close(l.lost)
}

// Disarm tells the program to leave the container alone, and waits until it
// has exited. A program that does not, or whose lease was lost, is killed: the
// container must be known to have stopped. Nil means a clean end.
func (l *Lease) Disarm(ctx context.Context) error {
	l.end()
	<-l.done // bounded by the limit on an answer
	defer l.release()
	select {
	case <-l.lost:
		return errors.Join(ErrLost, l.kill())
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, exitLimit)
	defer cancel()
	select {
	case <-l.exited:
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("disarming the watchdog: it does not exit: %w", ctx.Err()), l.kill())
	}
	if l.code != ExitDisarmed {
		return fmt.Errorf("disarming the watchdog: it exited with code %d", l.code)
	}
	return nil
}

// kill ends the program and waits for it to be reaped.
func (l *Lease) kill() error {
	l.process.Kill() // one that is gone already is what is wanted
	timer := time.NewTimer(reapLimit)
	defer timer.Stop()
	select {
	case <-l.exited:
		return nil
	case <-timer.C:
		return errors.New("ending the watchdog: it was killed and is still there")
	}
}

// release may be called twice: what is closed stays closed.
func (l *Lease) release() {
	l.beats.Close()
	l.answers.Close()
	l.init.release()
}
