package landlock

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"postern/gateway/confine/tree"
)

// The descriptors of the stage, of which the server keeps the last.
const (
	orderFD = 3 + iota
	statusFD
	imageFD
)

// Process is a server that runs beside us.
type Process struct {
	cmd    *exec.Cmd
	gone   chan struct{} // closed when it is
	unmade chan bool     // whether it never ran
	err    error
}

// Start runs the server beside this process, with which it dies.
func (x *Sandbox) Start() (*Process, error) {
	o := x.order
	files, ours, err := pipes()
	if err != nil {
		return nil, err
	}
	defer files[0].Close()
	defer files[1].Close()
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		closeAll(ours)
		return nil, failed("withholding descriptors", err)
	}
	s := x.server
	cmd := exec.Command(cmp.Or(s.Stage, "/proc/self/exe"), stageCommand)
	cmd.Args[0] = os.Args[0]
	cmd.Env = []string{} // the server's is in the order
	cmd.ExtraFiles = files
	if s.Image != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, s.Image)
		o.Program = fmt.Sprintf("/proc/self/fd/%d", imageFD)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Stdin, s.Stdout, s.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if s.Weak.Outlive {
		cmd.SysProcAttr.Pdeathsig = 0
	}
	p := &Process{cmd: cmd, gone: make(chan struct{}), unmade: make(chan bool, 1)}
	started := make(chan error)
	go p.supervise(started)
	if err := <-started; err != nil {
		closeAll(ours)
		return nil, failed("starting the stage", err)
	}
	go func() {
		defer closeAll(ours)
		json.NewEncoder(ours[0]).Encode(o) // a stage that is gone tells nothing more either
		ours[0].Close()
		said, _ := io.ReadAll(ours[1])
		p.unmade <- len(said) > 0
	}()
	return p, nil
}

// pipes are the stage's ends of one to it and one from it, and ours.
func pipes() (theirs, ours []*os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, failed("making a pipe", err)
	}
	said, says, err := os.Pipe()
	if err != nil {
		closeAll([]*os.File{r, w})
		return nil, nil, failed("making a pipe", err)
	}
	return []*os.File{r, says}, []*os.File{w, said}, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// supervise stays on its thread until the end: the kernel sends the signal of a
// parent's death when the thread that forked ends.
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

// Signal sends the server a signal. One that has ended receives nothing.
func (p *Process) Signal(sig syscall.Signal) error {
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return failed("sending the server a signal", err)
	}
	return nil
}

// Kill ends the server at once, and what it started and did not part from it.
func (p *Process) Kill() {
	select {
	case <-p.gone: // its number may be another's
	default:
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // one that is gone is not killed
	}
}

// Wait waits for the end and tells the exit code, which is 128 and the number of
// the signal where one ended the server. It is to be called once.
func (p *Process) Wait() (int, error) {
	<-p.gone
	if <-p.unmade {
		return stageFailed, tree.ErrNotMade
	}
	exit := (*exec.ExitError)(nil)
	if p.err != nil && !errors.As(p.err, &exit) {
		return stageFailed, failed("waiting for the tool server", p.err)
	}
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return p.cmd.ProcessState.ExitCode(), nil
}

// stage reads what is to be done and becomes the server. It returns only where it
// fails, which it tells: its end alone could be the server's.
func stage() int {
	in, status := os.NewFile(orderFD, "order"), os.NewFile(statusFD, "status")
	unix.CloseOnExec(orderFD)
	unix.CloseOnExec(statusFD)
	var o order
	err := json.NewDecoder(in).Decode(&o)
	if err != nil {
		err = failed("reading what is to be done", err)
	} else {
		err = o.become()
	}
	fmt.Fprintln(os.Stderr, "postern:", err)
	status.Write([]byte{1}) // where nobody listens any more, nobody waits
	return stageFailed
}
