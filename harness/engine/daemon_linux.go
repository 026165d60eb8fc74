package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// mark is the environment variable that every process of an Engine inherits:
// dockerd, containerd, shims and storage helpers. Its value is the home.
const mark = "POSTERN_PRIVATE_ENGINE"

const (
	killLimit  = 10 * time.Second // for what the kernel does at once, unless a disk hangs
	cldStopped = 5                // siginfo's code of a stopped child, sigaction(2)
)

// keeper is an operating system thread in a network namespace of its own, from
// which the daemons are started: they share that namespace over restarts, and
// the kernel kills them when the thread ends (PR_SET_PDEATHSIG, prctl(2)).
type keeper struct{ jobs chan func() }

func keep() (*keeper, error) {
	k := &keeper{make(chan func())}
	ready := make(chan error)
	go k.run(ready)
	if err := <-ready; err != nil {
		return nil, err
	}
	return k, nil
}

// run never unlocks its thread, so that the thread ends with the goroutine.
// The main thread is passed on: it cannot end, and /proc/PID/ns shows its
// namespaces as those of the whole process.
func (k *keeper) run(ready chan<- error) {
	runtime.LockOSThread()
	if unix.Gettid() == unix.Getpid() {
		moved := make(chan error)
		go k.run(moved)
		err := <-moved
		runtime.UnlockOSThread()
		ready <- err
		return
	}
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		ready <- &NotApplicable{"making a network namespace: " + err.Error()}
		return
	}
	ready <- nil
	for job := range k.jobs {
		job()
	}
}

func (k *keeper) end() { close(k.jobs) }

// start starts a daemon of the Engine in h.
func (k *keeper) start(h home, name string, args ...string) (*daemon, error) {
	log, err := os.OpenFile(h.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	defer log.Close()
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), mark + "=" + string(h)}
	// Setsid: what a terminal sends to the harness is not for the Engine.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	k.jobs <- func() { started <- cmd.Start() }
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	d := &daemon{cmd: cmd, gone: make(chan struct{})}
	go func() {
		d.ended = cmd.Wait()
		close(d.gone)
	}()
	return d, nil
}

// daemon is one child process. A nil one does not run.
type daemon struct {
	cmd   *exec.Cmd
	gone  chan struct{} // closed once it is reaped
	ended error         // how, once gone
}

func (d *daemon) pid() int { return d.cmd.Process.Pid }

func (d *daemon) alive() bool {
	if d == nil {
		return false
	}
	select {
	case <-d.gone:
		return false
	default:
		return true
	}
}

func (d *daemon) stop(ctx context.Context) error {
	if !d.alive() {
		return nil
	}
	if err := d.signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-d.gone:
		return d.ended
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *daemon) kill() error {
	if !d.alive() {
		return nil
	}
	if err := d.signal(syscall.SIGKILL); err != nil {
		return err
	}
	select {
	case <-d.gone:
		return nil
	case <-time.After(killLimit):
		return errors.New("it outlives SIGKILL")
	}
}

// pause waits for the stop, which waitid(2) reports when all threads stand.
// WNOWAIT leaves an end to be reaped by the one who waits for it.
func (d *daemon) pause() error {
	if !d.alive() {
		return os.ErrProcessDone
	}
	if err := d.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	for limit := time.Now().Add(killLimit); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, d.pid(), &info, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
		switch {
		case errors.Is(err, unix.EINTR) || err == nil && info.Signo == 0: // not yet
		case err != nil || info.Code != cldStopped:
			return errors.Join(os.ErrProcessDone, err)
		default:
			return nil
		}
	}
	return errors.New("it does not stand")
}

func (d *daemon) resume() error {
	if !d.alive() {
		return os.ErrProcessDone
	}
	return d.signal(syscall.SIGCONT)
}

// signal takes one that has just ended by itself for done.
func (d *daemon) signal(s syscall.Signal) error {
	if err := d.cmd.Process.Signal(s); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
