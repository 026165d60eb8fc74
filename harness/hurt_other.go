//go:build unix && !linux

package harness

import (
	"context"
	"errors"
	"os"
	"syscall"

	"postern/gateway"
)

// Elsewhere the plan can be read and evidence verified; nothing can be hurt.
var errOnlyLinux = errors.New("faults are injected on Linux alone")

type victim struct{}

func (*victim) signal(syscall.Signal) error         { return errOnlyLinux }
func (*victim) group() error                        { return errOnlyLinux }
func (*victim) watchdog() (*os.Process, error)      { return nil, errOnlyLinux }
func (*victim) gone(context.Context) error          { return errOnlyLinux }
func (*victim) state() gateway.Event                { return gateway.Event{} }
func (*trial) hurt(context.Context, fault) error    { return errOnlyLinux }
func (*trial) diskFull(context.Context) error       { return errOnlyLinux }
func starve(context.Context, *trial, *victim) error { return errOnlyLinux }
func (*trial) homely() (func() error, error)        { return func() error { return nil }, nil }
func unmount(string) error                          { return nil }
