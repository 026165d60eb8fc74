package observers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"postern/fixtures/plan"
)

// The agent's program plays parts for observers too: the process that probes
// are aimed at, and those that hold the pilots. It ends with its stdin.
const (
	childWord    = "child"
	showWord     = "show"
	argumentRoom = 80 // bytes of arguments that it may overwrite
)

const actorPatience = 5 * time.Second // for one to start or to answer; it takes milliseconds

// actor is a process of ours that plays a part.
type actor struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
}

// start starts a part. The command's stdin and stdout are the actor's own.
func start(cmd *exec.Cmd) (*actor, error) {
	stdinFar, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer stdinFar.Close()
	stdout, stdoutFar, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdin.Close())
	}
	defer stdoutFar.Close()
	cmd.Env = []string{strings.Repeat(".", argumentRoom)}
	cmd.Stdin, cmd.Stdout = stdinFar, stdoutFar
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, stdin.Close(), stdout.Close())
	}
	return &actor{cmd, stdin, stdout}, nil
}

// tell hands the actor a probe.
func (a *actor) tell(p plan.Probe) error {
	a.stdin.SetWriteDeadline(time.Now().Add(actorPatience))
	return json.NewEncoder(a.stdin).Encode(p)
}

// show hands the actor of that part a probe and waits until it is to be seen.
func (a *actor) show(p plan.Probe) error {
	if err := a.tell(p); err != nil {
		return err
	}
	a.stdout.SetReadDeadline(time.Now().Add(actorPatience))
	_, err := io.ReadFull(a.stdout, make([]byte, 1))
	return err
}

func (a *actor) close() error {
	a.stdin.Close()
	a.cmd.Process.Kill()
	a.cmd.Wait() // it was killed, or ended with its stdin
	return a.stdout.Close()
}

// inOwnThread runs f in a thread that is then thrown away, whatever became of
// it. It is never the first one, which stands for the whole process in /proc.
func inOwnThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			defer runtime.UnlockOSThread()
			done <- inOwnThread(f) // in another, while this one is taken
			return
		}
		done <- f()
	}()
	return <-done
}

// inNamespace runs f in a thread that entered a namespace. For a PID namespace
// it is the processes that f starts which enter.
func inNamespace(path string, kind int, f func() error) error {
	return inOwnThread(func() error { return enterAnd(path, kind, f) })
}

func enterAnd(path string, kind int, f func() error) error {
	ns, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("opening a namespace: %w", err)
	}
	defer ns.Close()
	if err := unix.Setns(int(ns.Fd()), kind); err != nil {
		return fmt.Errorf("entering a namespace: %w", err)
	}
	return f()
}

// showing starts an actor that shows probes, in the PID namespace of a process
// where one is given.
func showing(ctx context.Context, program string, namespace int) (a *actor, err error) {
	begin := func() (err error) {
		a, err = start(exec.CommandContext(ctx, program, childWord, showWord, strings.Repeat(".", argumentRoom)))
		return err
	}
	if namespace == 0 {
		return a, begin()
	}
	err = inNamespace(fmt.Sprintf("/proc/%d/ns/pid", namespace), unix.CLONE_NEWPID, begin)
	return a, err
}
