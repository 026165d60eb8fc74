//go:build !linux

package observers

import (
	"errors"

	"postern/observers/canary"
)

// Held and Vsock need Linux.
type (
	Held  struct{ Living }
	Vsock struct{ Living }
)

// VsockPorts is how many ports one Vsock has for itself.
const VsockPorts = 256

var errHeld = errors.New("what processes hold is looked at on Linux only")

// NewHeld needs Linux.
func NewHeld(int, *canary.Watch, Pilots) (*Held, error) { return nil, errHeld }

// NewVsock needs Linux.
func NewVsock(uint32, *canary.Watch, Pilots) (*Vsock, error) { return nil, errHeld }
