package bubblewrap

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Process is a server that runs in its sandbox.
type Process struct {
	cmd  *exec.Cmd
	init int           // the first process of the sandbox, which is bwrap's own
	gone chan struct{} // closed when bwrap is
	err  error
}

// Start runs a server in the sandbox of its profile. Where the profile cannot be
// kept to, the error is an *Unable, and nothing was started.
func (b Backend) Start(s Server) (*Process, error) {
	arguments, err := b.prepare(s)
	if err != nil {
		return nil, err
	}
	program, err := filter()
	if err != nil {
		return nil, err
	}
	files, err := inMemory(terminated(arguments), program)
	if err != nil {
		return nil, err
	}
	defer closeAll(files)
	info, theirs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe to bubblewrap: %w", err)
	}
	defer info.Close()
	defer theirs.Close()
	// exec.Cmd puts ExtraFiles at 3 and up; nothing else must be open in a server.
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return nil, fmt.Errorf("withholding descriptors: %w", err)
	}
	cmd := exec.Command(b.path, append([]string{"--args", "3", "--seccomp", "4", "--info-fd", "5", "--"}, s.Command...)...)
	cmd.Env = append([]string{}, s.Env...)
	cmd.ExtraFiles = append(files, theirs)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Stdin, s.Stdout, s.Stderr
	// In a group of its own the terminal's signals do not reach bwrap, which would
	// die of them and take the server with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &Process{cmd: cmd, gone: make(chan struct{})}
	started := make(chan error)
	go p.supervise(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting bubblewrap: %w", err)
	}
	theirs.Close()
	p.init = sandboxOf(info)
	return p, nil
}

// supervise starts bwrap and stays on its thread until the end: the kernel sends
// the signal of --die-with-parent when the thread that forked ends.
func (p *Process) supervise(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	close(p.gone)
}

// Wait waits for the end and tells the exit code, which is 128 and the number
// of the signal where one ended the server.
func (p *Process) Wait() (int, error) {
	<-p.gone
	var exit *exec.ExitError
	switch {
	case p.err == nil:
		return 0, nil
	case !errors.As(p.err, &exit):
		return 0, fmt.Errorf("waiting for bubblewrap: %w", p.err)
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}
