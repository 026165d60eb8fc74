package seatbelt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// program makes the sandboxes. It lies on the sealed volume of the system, which
// not even root writes.
const program = "/usr/bin/sandbox-exec"

// patience bounds a trial, which takes milliseconds.
const patience = 10 * time.Second

// Backend is a Seatbelt that makes sandboxes on this machine.
type Backend struct{}

// Available makes a sandbox that ends at once. Where there is none the error is
// an *Unable.
func Available(ctx context.Context) (Backend, error) {
	if _, err := os.Stat(program); err != nil {
		return Backend{}, &Unable{NotInstalled}
	}
	return Backend{}, try(ctx, "(version 1)\n(allow default)\n", ProbeFailed)
}

// try runs a program that does nothing by a text.
func try(ctx context.Context, text string, otherwise Why) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-p", text, "/usr/bin/true")
	cmd.Dir, cmd.Env = "/", []string{}
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("trying sandbox-exec: %w", ctx.Err())
	}
	return &Unable{otherwise}
}

// Sandbox is what one server will run in, as the machine was when it was asked for.
type Sandbox struct {
	server Server
	text   string
}

// Prepare makes what the sandbox needs on the disk, and tries the text of it
// before anything depends upon it. Where the profile cannot be kept to, the error
// is an *Unable.
func (b Backend) Prepare(ctx context.Context, s Server) (*Sandbox, error) {
	if os.MkdirAll(s.Profile.Scratch, 0o700) != nil {
		return nil, &Unable{ScratchMissing}
	}
	settled, err := Settle(s.Profile, s.Command[0])
	if err != nil {
		return nil, err
	}
	text, err := Render(settled)
	if err != nil {
		return nil, err
	}
	return &Sandbox{s, text}, try(ctx, text, TextRefused)
}

// Become starts the server in the place of this process, with its stdin, stdout
// and stderr. It returns only where it fails.
func (x *Sandbox) Become() error {
	if err := withhold(); err != nil {
		return err
	}
	args := append([]string{program, "-p", x.text}, x.server.Command...)
	if err := syscall.Exec(program, args, x.server.Env); err != nil {
		return fmt.Errorf("starting sandbox-exec: %w", err)
	}
	return nil
}

// withhold keeps every descriptor but the first three from the server.
func withhold() error {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return errors.New("withholding descriptors: /dev/fd cannot be read")
	}
	for _, e := range open {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}
