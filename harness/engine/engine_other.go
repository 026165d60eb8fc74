//go:build !linux

package engine

import "context"

// Private is known on Linux only.
type Private struct{}

func linuxOnly() error { return &NotApplicable{"it needs Linux"} }

// Start says that it cannot.
func (Options) Start(context.Context, string) (*Private, error) { return nil, linuxOnly() }

// Sweep says that it cannot.
func Sweep(context.Context, string) error { return linuxOnly() }

// Socket is empty.
func (*Private) Socket() string { return "" }

// PID is 0.
func (*Private) PID() int { return 0 }

// Stop says that it cannot.
func (*Private) Stop(context.Context) error { return linuxOnly() }

// Kill says that it cannot.
func (*Private) Kill() error { return linuxOnly() }

// Pause says that it cannot.
func (*Private) Pause() error { return linuxOnly() }

// Resume says that it cannot.
func (*Private) Resume() error { return linuxOnly() }

// Restart says that it cannot.
func (*Private) Restart(context.Context) error { return linuxOnly() }

// Close says that it cannot.
func (*Private) Close(context.Context) error { return linuxOnly() }
