//go:build unix && !linux

package harness

import (
	"net/netip"
	"os"
	"sync"

	"postern/observers"
)

type outskirts struct {
	neighbour, nowhere *os.File
	link               string
	address            netip.Addr
	aliases            sync.Mutex
}

func (*outskirts) ready() error                            { return errOnlyLinux }
func (*outskirts) lend(netip.Prefix) (func() error, error) { return nil, errOnlyLinux }
func (*outskirts) plug(string) (*observers.Port, func() error, error) {
	return nil, nil, errOnlyLinux
}
func (*outskirts) close() error     { return nil }
func namespacePath(*os.File) string { return "" }
