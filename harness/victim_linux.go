package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"postern/gateway"
	"postern/gateway/bridge"
	"postern/harness/host"
)

// victim is a bridge process, its watchdog and its container, to be hurt.
type victim struct {
	cmd  *exec.Cmd
	told chan struct{} // closed when its stdout ended

	mu   sync.Mutex
	seen gateway.Event // all that it has told so far
}

// startBridge starts a bridge process in a process group of its own. Its
// container is labelled as its own.
func startBridge(program string, o gateway.Order) (*victim, error) {
	v := &victim{cmd: exec.Command(program, gateway.BridgeCommand), told: make(chan struct{})}
	v.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	in, err := v.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting a bridge: %w", err)
	}
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting a bridge: %w", err)
	}
	started := make(chan error)
	go v.live(started, bufio.NewScanner(out))
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting a bridge: %w", err)
	}
	owner, err := host.Of(v.cmd.Process.Pid)
	if err == nil {
		o.Labels[labelOwner] = owner.String()
		err = json.NewEncoder(in).Encode(o)
	}
	if err := errors.Join(err, in.Close()); err != nil {
		v.end()
		return nil, fmt.Errorf("ordering a bridge: %w", err)
	}
	return v, nil
}

// live starts the bridge and takes in what it tells, from one thread: the
// bridge is to die with the harness, paused or not, and Pdeathsig counts from
// the death of the thread that forked, prctl(2).
func (v *victim) live(started chan<- error, lines *bufio.Scanner) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := v.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	defer close(v.told)
	for lines.Scan() {
		v.mu.Lock()
		json.Unmarshal(lines.Bytes(), &v.seen) // fields that a line lacks stay as they are
		v.mu.Unlock()
	}
}

func (v *victim) state() gateway.Event {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.seen
}

// outcome waits, within a bound, for a bridge that ends by itself. One that
// does not, or that was killed, has none.
func (v *victim) outcome(bound time.Duration) bridge.Outcome {
	select {
	case <-v.told:
		return v.state().Outcome
	case <-time.After(bound):
		return ""
	}
}

// end kills what is left of the bridge and reaps it.
func (v *victim) end() {
	v.cmd.Process.Kill()
	<-v.told
	v.cmd.Wait() // how it ended is what the fault is about
}

// signal sends a signal to the bridge, and to nobody else.
func (v *victim) signal(s syscall.Signal) error { return v.cmd.Process.Signal(s) }

// watchdog is the process that the bridge armed.
func (v *victim) watchdog() (*os.Process, error) {
	pid := v.state().Watchdog
	if pid == 0 {
		return nil, errors.New("the bridge has armed no watchdog")
	}
	return os.FindProcess(pid) // held by a pidfd, so that it cannot be another
}

// gone waits until the bridge has died. The end of its stdout comes a little
// before that.
func (v *victim) gone(ctx context.Context) error {
	fd, err := hold(v.cmd.Process.Pid) // not reaped yet, so it can be no other
	if err != nil {
		return err
	}
	defer release(fd)
	after, err := death(ctx, fd, time.Now(), faultBound)
	if err == nil && after == 0 {
		err = errors.New("the bridge does not die")
	}
	return err
}

// group kills the bridge's whole process group.
func (v *victim) group() error { return syscall.Kill(-v.cmd.Process.Pid, syscall.SIGKILL) }

// death waits for the end of a process by its pidfd, and says how long it took
// from began; 0 where it lives on.
func death(ctx context.Context, pidfd int, began time.Time, bound time.Duration) (time.Duration, error) {
	for {
		left := time.Until(began.Add(bound))
		if left <= 0 || ctx.Err() != nil {
			return 0, ctx.Err()
		}
		fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, int(left/time.Millisecond)+1)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, fmt.Errorf("waiting for a process to end: %w", err)
		case n > 0:
			return max(time.Since(began), time.Microsecond), nil
		}
	}
}

// hold opens a process by a pidfd, pidfd_open(2).
func hold(pid int) (int, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return 0, fmt.Errorf("holding a process: %w", err)
	}
	return fd, nil
}

func release(fd int) { unix.Close(fd) }
