//go:build !linux

// Package audittest is for tests of what waits for the disk, and for the harness,
// which asks the same of a whole gateway. Nothing of the gateway's own imports it.
package audittest

import "errors"

// WithoutSync does nothing here: only a Linux kernel is made to fail.
func WithoutSync(func()) error { return errors.New("no wait for the disk fails on this system") }
