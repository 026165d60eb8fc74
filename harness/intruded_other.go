//go:build unix && !linux

package harness

import "context"

// Elsewhere no tool server is started.

func (o *opening) programs() { o.err = errOnlyLinux }

func (o *opening) session() { o.err = errOnlyLinux }

func (t *trial) intruded(context.Context, spawnState) error { return errOnlyLinux }
