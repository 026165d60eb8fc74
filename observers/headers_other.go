//go:build !linux

package observers

import (
	"errors"
	"net"
)

var errHeaders = errors.New("the headers of datagrams are read on Linux alone")

func tellHeaders(*net.UDPConn) error         { return errHeaders }
func setHeaders(*net.UDPConn, headers) error { return errHeaders }
func headersOf([]byte) headers               { return headers{-1, -1} }
