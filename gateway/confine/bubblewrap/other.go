//go:build !linux

package bubblewrap

import (
	"context"
	"syscall"
)

// Available is for Linux.
func Available(context.Context, []string) (Backend, error) { return Backend{}, &Unable{NotLinux} }

// Process is a server that runs, which none does here.
type Process struct{}

// Start is for Linux.
func (b Backend) Start(Server) (*Process, error) { return nil, &Unable{NotLinux} }

// Signal is for Linux.
func (p *Process) Signal(syscall.Signal) error { return &Unable{NotLinux} }

// Wait is for Linux.
func (p *Process) Wait() (int, error) { return 0, &Unable{NotLinux} }

// Stage is for Linux.
func Stage() int { return stageFailed }
