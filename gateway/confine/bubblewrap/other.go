//go:build !linux

package bubblewrap

import (
	"context"
	"syscall"

	"postern/gateway/confine/tree"
)

// Available is for Linux.
func Available(context.Context, []string) (Backend, error) { return Backend{}, &Unable{NotLinux} }

// ErrNotMade is the error of a sandbox that could not be made.
var ErrNotMade = tree.ErrNotMade

// Process is a server that runs, which none does here.
type Process struct{}

// Sandbox is what one server will run in, which there is none of here.
type Sandbox struct{}

// Prepare is for Linux.
func (b Backend) Prepare(Server) (*Sandbox, error) { return nil, &Unable{NotLinux} }

// Start is for Linux.
func (x *Sandbox) Start() (*Process, error) { return nil, &Unable{NotLinux} }

// Signal is for Linux.
func (p *Process) Signal(syscall.Signal) error { return &Unable{NotLinux} }

// Kill is for Linux.
func (p *Process) Kill() {}

// Wait is for Linux.
func (p *Process) Wait() (int, error) { return 0, &Unable{NotLinux} }

func stage() int { return stageFailed }

func ports([]string) int { return stageFailed }
