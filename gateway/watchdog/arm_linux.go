package watchdog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// How long the program may take to exit once it was told to, and the kernel
// once the program was killed.
const (
	exitLimit = 3 * time.Second
	reapLimit = time.Second
)

// Arm starts the program and returns when it has said that it is armed: it
// holds a pidfd of the container's first process, which is in a cgroup of the
// container's, and the Engine said again that the two belong together and run.
// ctx bounds the arming only. After an error there is no watchdog, and the
// container is still the caller's to stop.
func Arm(ctx context.Context, o Options) (*Lease, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	target := &initProcess{fd: -1}
	if !o.Weak.NoPidfd {
		held, why := holdInit(o.PID, o.Container)
		if why != noReason {
			return nil, fmt.Errorf("arming the watchdog: %v", why)
		}
		target = held
	}
	l, err := spawn(o, target)
	if err != nil {
		target.release()
		return nil, fmt.Errorf("arming the watchdog: %w", err)
	}
	if err := l.arm(ctx, o.PID); err != nil {
		return nil, errors.Join(fmt.Errorf("arming the watchdog: %w", err), l.abandon())
	}
	go l.keep()
	return l, nil
}

// spawn starts the program with our pipes. Both are close-on-exec from the
// start, and only the two ends that are given by number get through.
func spawn(o Options, target *initProcess) (*Lease, error) {
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return nil, fmt.Errorf("withholding descriptors that were left open in us: %w", err)
	}
	theirBeats, beats, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirBeats.Close()
	answers, theirAnswers, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, beats.Close())
	}
	defer theirAnswers.Close()
	process, err := os.StartProcess(o.Command[0], append(slices.Clone(o.Command), o.arguments()...), &os.ProcAttr{
		Dir: "/",
		Env: []string{}, // nil would be ours
		// The standard streams are closed: the program's runtime opens
		// /dev/null there.
		Files: []*os.File{nil, nil, nil, beatsFD: theirBeats, answersFD: theirAnswers},
		Sys:   &syscall.SysProcAttr{Setsid: !o.Weak.SameGroup},
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting the program: %w", err), beats.Close(), answers.Close())
	}
	l := &Lease{
		timing: o.Timing, lenient: o.Weak.NoAckCheck, init: target, process: process, beats: beats, answers: answers,
		lost: make(chan struct{}), ending: make(chan struct{}), done: make(chan struct{}), exited: make(chan struct{}),
	}
	l.received = receive(answers, l.done)
	l.end = sync.OnceFunc(func() { close(l.ending) })
	go l.reap()
	return l, nil
}

// reap waits for the program. Its death is also an end of the pipe.
func (l *Lease) reap() {
	defer close(l.exited)
	if state, err := l.process.Wait(); err == nil {
		l.code = state.ExitCode()
	} else {
		l.code = -1
	}
}

// arm tells the program whom to watch and waits for its word.
func (l *Lease) arm(ctx context.Context, pid int) error {
	ctx, cancel := context.WithTimeout(ctx, l.timing.StopTry+l.timing.Ack) // its look at the Engine, and its word
	defer cancel()
	if err := l.write(message{arm, uint64(pid)}, l.timing.Ack); err != nil {
		return err
	}
	select {
	case m, ok := <-l.received:
		switch {
		case ok && m.kind == armed:
			l.Pidfd = m.number == 1
			return nil
		case ok && m.kind == refused:
			return errors.New(reason(m.number).String())
		}
		return errors.New("the program ended, or said what it should not")
	case <-ctx.Done():
		return fmt.Errorf("waiting for the program: %w", ctx.Err())
	}
}

// abandon ends a program that was never armed.
func (l *Lease) abandon() error {
	close(l.done)
	err := l.kill()
	l.release()
	return err
}
