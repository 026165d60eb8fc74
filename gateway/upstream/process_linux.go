package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// grace is how long a server may take to leave once its stdin is closed;
// after that it is killed, and reapTimeout bounds the wait for the kernel.
const (
	grace       = 200 * time.Millisecond
	reapTimeout = 3 * time.Second
)

// imageFD is where a child finds its image: exec.Cmd puts ExtraFiles at 3.
const imageFD = "/proc/self/fd/3"

// process is one running server and our ends of its pipes.
type process struct {
	stdin, stdout, stderr *os.File
	stderrBytes           atomic.Int64
	aside                 asides
	drained               chan struct{} // closed when stderr is at its end
	gone                  chan struct{} // closed when the process is reaped
	end                   func()        // kills it with all that it started; may be called at any time
	unmade                bool          // its sandbox could not be made, so it never ran; known when it is gone

	mu     sync.Mutex // a pid may be signalled only until it is reaped
	pid    int
	reaped bool
}

// launch runs an image as the guard's table says: in a sandbox, or else in a
// process group of its own.
func launch(ctx context.Context, image *Image, s Server) (*process, error) {
	if err := withhold(); err != nil {
		return nil, fmt.Errorf("starting tool server: %w", err)
	}
	p := &process{drained: make(chan struct{}), gone: make(chan struct{})}
	theirs, err := p.pipes()
	if err != nil {
		return nil, fmt.Errorf("starting tool server: %w", err)
	}
	decided, err := s.decide(ctx, image, theirs)
	switch {
	case err != nil:
	case decided.Confined():
		err = p.confined(decided)
	default:
		if !s.Guard.Quiet {
			warn(decided)
		}
		err = p.free(image, s, theirs)
	}
	for _, file := range theirs {
		file.Close()
	}
	if err != nil {
		return nil, errors.Join(err, p.closePipes())
	}
	go p.drain()
	return p, nil
}

// free runs a server that is not confined.
func (p *process) free(image *Image, s Server, theirs []*os.File) error {
	cmd := exec.Command(imageFD, s.Args...)
	cmd.Args[0] = "upstream"
	cmd.Env = append([]string{}, s.Env...) // never nil, which would inherit ours
	cmd.Dir = "/"
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	cmd.ExtraFiles = []*os.File{image.memory}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p.end = p.kill
	started := make(chan error)
	go p.supervise(cmd, started)
	if err := <-started; err != nil {
		return fmt.Errorf("starting tool server: %w", err)
	}
	return nil
}

// neverRan reports whether a process that was stopped never ran.
func (p *process) neverRan() bool { return p.within(0) && p.unmade }

// withhold marks every descriptor but stdio close-on-exec. Go does so for its
// own; those that our parent left open in us would reach the server.
func withhold() error {
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("withholding descriptors: %w", err)
	}
	return nil
}

// supervise starts the command and stays on its thread until the end: the
// kernel sends Pdeathsig when the thread that forked ends, not the process.
// The group is killed while its leader is a zombie and its number still taken.
func (p *process) supervise(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	if err == nil {
		p.pid = cmd.Process.Pid
	}
	started <- err
	if err != nil {
		return
	}
	defer close(p.gone)
	for {
		err := unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	unix.Kill(-p.pid, unix.SIGKILL) // whoever is left; ESRCH when nobody is
	p.reaped = true
	cmd.Wait() // how it ended does not matter here
}

// pipes makes the three pipes and returns the child's ends.
func (p *process) pipes() ([]*os.File, error) {
	var theirs, all []*os.File
	for _, pipe := range []struct {
		ours   **os.File
		writes bool // we write to it
	}{{&p.stdin, true}, {&p.stdout, false}, {&p.stderr, false}} {
		r, w, err := os.Pipe()
		if err != nil {
			for _, file := range all {
				file.Close()
			}
			return nil, err
		}
		all = append(all, r, w)
		if pipe.writes {
			*pipe.ours, theirs = w, append(theirs, r)
		} else {
			*pipe.ours, theirs = r, append(theirs, w)
		}
	}
	return theirs, nil
}

// drain reads stderr so that the server never blocks on it, and counts.
func (p *process) drain() {
	defer close(p.drained)
	io.Copy(&counter{&p.stderrBytes, &p.aside}, p.stderr)
}

type counter struct {
	n     *atomic.Int64
	aside *asides
}

func (c *counter) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	if c.aside.is(Stderr) {
		c.aside.keep(Stderr, string(b))
	}
	return len(b), nil
}

// stop asks by closing stdin, then kills the group. Closing our ends also
// frees readers where a process that left the group still holds a pipe.
func (p *process) stop() error {
	p.stdin.Close()
	if !p.within(grace) {
		p.end()
	}
	reaped := p.within(reapTimeout)
	p.closePipes()
	<-p.drained
	if !reaped {
		return errors.New("stopping tool server: it was killed and is still there")
	}
	return nil
}

func (p *process) within(d time.Duration) bool {
	select {
	case <-p.gone:
		return true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.gone:
		return true
	case <-timer.C:
		return false
	}
}

func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		unix.Kill(-p.pid, unix.SIGKILL)
	}
}

// closePipes may be called twice; then there is nothing left to close.
func (p *process) closePipes() error {
	var errs []error
	for _, file := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if err := file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
