//go:build !linux

package landlock

import "syscall"

// none is why another system has none.
const none = NotLinux

// Look is for Linux.
func Look() Kernel { return Kernel{} }

// Sandbox is what one server will run in, which there is none of here.
type Sandbox struct{}

// Process is a server that runs, which none does here.
type Process struct{}

// Prepare is for Linux.
func (b Backend) Prepare(Server) (*Sandbox, error) { return nil, &Unable{NotLinux} }

// Become is for Linux.
func (x *Sandbox) Become() error { return &Unable{NotLinux} }

// Start is for Linux.
func (x *Sandbox) Start() (*Process, error) { return nil, &Unable{NotLinux} }

// Signal is for Linux.
func (p *Process) Signal(syscall.Signal) error { return &Unable{NotLinux} }

// Kill is for Linux.
func (p *Process) Kill() {}

// Wait is for Linux.
func (p *Process) Wait() (int, error) { return 0, &Unable{NotLinux} }

func stage() int { return stageFailed }
