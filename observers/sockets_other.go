//go:build !linux

package observers

import (
	"errors"
	"net"
	"net/netip"
)

var errOnlyLinux = errors.New("links are listened to on Linux alone")

func join(netip.Addr, netip.AddrPort) (*net.UDPConn, error) { return nil, errOnlyLinux }
func sendFrom(netip.AddrPort, *net.UDPAddr) error           { return errOnlyLinux }
