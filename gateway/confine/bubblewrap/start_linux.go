package bubblewrap

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"postern/gateway/confine/tree"
)

// Process is a server that runs in its sandbox.
type Process struct {
	cmd   *exec.Cmd
	first int           // the first process of the sandbox, which is bwrap's own
	gone  chan struct{} // closed when bwrap is
	ran   chan bool     // whether the server did, told when bwrap is gone
	err   error
}

// Sandbox is what one server will run in, as the machine was when it was asked for.
type Sandbox struct {
	backend Backend
	server  Server
	steps   []tree.Step
}

// Prepare says how the sandbox of a server's profile is made. Where the profile
// cannot be kept to, the error is an *Unable.
func (b Backend) Prepare(s Server) (*Sandbox, error) {
	if b.path == "" {
		return nil, &Unable{NotInstalled}
	}
	steps, err := b.prepare(s)
	if err != nil {
		return nil, err
	}
	return &Sandbox{b, s, steps}, nil
}

// Start runs the server.
func (x *Sandbox) Start() (*Process, error) {
	files, err := x.backend.orders(x.server, x.steps)
	if err != nil {
		return nil, err
	}
	defer closeAll(files)
	return x.begin(files)
}

// begin starts the stage with its orders.
func (x *Sandbox) begin(files []*os.File) (*Process, error) {
	b, s := x.backend, x.server
	status, theirs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe to bubblewrap: %w", err)
	}
	defer theirs.Close()
	// exec.Cmd puts ExtraFiles at 3 and up; nothing else must be open in a server.
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		status.Close()
		return nil, fmt.Errorf("withholding descriptors: %w", err)
	}
	cmd := exec.Command(cmp.Or(s.Stage, "/proc/self/exe"), stageCommand)
	cmd.Args[0] = os.Args[0]
	cmd.Env = []string{} // the server's is among the orders
	cmd.ExtraFiles = append(slices.Clone(files), theirs)
	var ports *relay
	if len(s.Profile.Ports) > 0 {
		var inside *os.File
		if ports, inside, err = newRelay(s.Profile.Ports); err != nil {
			status.Close()
			return nil, err
		}
		defer inside.Close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, inside)
	}
	if s.Image != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, s.Image)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Stdin, s.Stdout, s.Stderr
	cmd.SysProcAttr = b.attributes()
	p := &Process{cmd: cmd, gone: make(chan struct{}), ran: make(chan bool, 1)}
	started := make(chan error)
	go p.supervise(started)
	if err := <-started; err != nil {
		status.Close()
		return nil, fmt.Errorf("starting bubblewrap: %w", err)
	}
	theirs.Close()
	says := json.NewDecoder(status)
	p.first = sandboxOf(says)
	go func() {
		defer status.Close()
		p.ran <- ranIn(says)
	}()
	if ports != nil {
		go ports.run(p.gone)
	}
	return p, nil
}

// orders are the files of the stage and of bwrap, in the order of their
// descriptors.
func (b Backend) orders(s Server, steps []tree.Step) ([]*os.File, error) {
	base := tree.Base(s.Profile.Scratch)
	command := s.Command
	if s.Image != nil {
		at := otherFD
		if len(s.Profile.Ports) > 0 {
			at++
		}
		command = append([]string{fmt.Sprintf("/proc/self/fd/%d", at)}, command[1:]...)
	}
	if len(s.Profile.Ports) > 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("finding our own program: %w", err)
		}
		steps = append(slices.Clone(steps), tree.Step{Does: tree.Show, Source: self, Place: helper})
		command = append([]string{helper, portsCommand, numbers(s.Profile.Ports)}, command...)
	}
	orders, err := json.Marshal(work{base, steps, b.path, command, s.Weak.Unfiltered, s.Weak.Writable})
	if err != nil {
		return nil, fmt.Errorf("writing what is to be done: %w", err)
	}
	program, err := Filter()
	if err != nil {
		return nil, err
	}
	return InMemory(orders, terminated(b.arguments(s, base)), program)
}

// attributes are those of the stage. In a group of its own the terminal's signals
// do not reach bwrap, which would die of them and take the server with it.
func (b Backend) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Cloneflags: unix.CLONE_NEWNS}
	if len(b.users) > 0 {
		a.Cloneflags |= unix.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
	}
	return a
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

// Kill ends bwrap at once, and with it the server.
func (p *Process) Kill() { p.cmd.Process.Kill() } // one that is gone is not killed

// ErrNotMade is the error of a sandbox that could not be made, in which nothing
// ran: something of the host went away meanwhile, or bubblewrap does not work here.
var ErrNotMade = tree.ErrNotMade

// Wait waits for the end and tells the exit code, which is 128 and the number
// of the signal where one ended the server. It is to be called once.
func (p *Process) Wait() (int, error) {
	<-p.gone
	ran := <-p.ran
	var exit *exec.ExitError
	if p.err != nil && !errors.As(p.err, &exit) {
		return stageFailed, fmt.Errorf("waiting for bubblewrap: %w", p.err)
	}
	state := p.cmd.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	if !ran {
		return stageFailed, ErrNotMade
	}
	return state.ExitCode(), nil
}
