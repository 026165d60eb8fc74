//go:build !linux

package upstream

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
)

// Sealed memory is Linux's; elsewhere nothing is measured and nothing runs.
var errUnsupported = errors.New("measured tool servers are not supported on this system")

// ErrMeasure is what Measure returns where the content is not the expected one.
var ErrMeasure = errors.New("the tool server is not the measured one")

const attempts = 1

// Image cannot exist here.
type Image struct{}

// Close does nothing.
func (*Image) Close() error { return nil }

// Measure refuses.
func Measure(path, sha256Hex string) (*Image, error) { return nil, errUnsupported }

type process struct {
	stdin, stdout *os.File
	stderrBytes   atomic.Int64
	aside         asides
}

func launch(context.Context, *Image, Server) (*process, error) { return nil, errUnsupported }

func (*process) neverRan() bool { return true }

func (*process) stop() error { return errUnsupported }
