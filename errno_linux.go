package main

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// errnoName names an errno of the agent, which is Linux's wherever it is read.
func errnoName(n int) string {
	if n == 0 {
		return "-"
	}
	if name := unix.ErrnoName(syscall.Errno(n)); name != "" {
		return name
	}
	return "?"
}
