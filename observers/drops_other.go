//go:build !linux

package observers

import (
	"errors"
	"fmt"
	"net"
)

// countDrops fails: silence at a socket that cannot count its losses means
// nothing.
func countDrops(*net.UDPConn, int) error {
	return fmt.Errorf("this system does not tell: %w", errors.ErrUnsupported)
}

func dropCount([]byte) (uint32, bool) { return 0, false }
