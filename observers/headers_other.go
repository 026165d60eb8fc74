//go:build !linux

package observers

import (
	"errors"
	"net"
)

var errHeaders = errors.New("the headers of datagrams are read on Linux alone")

func tellHeaders(*net.UDPConn) error                 { return errHeaders }
func setHeaders(*net.UDPConn, datagramHeaders) error { return errHeaders }
func headersOf([]byte) datagramHeaders               { return datagramHeaders{-1, -1} }
