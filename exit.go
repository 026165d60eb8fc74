package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"postern/harness"
)

// The exit codes, all of them but those of 'guard run', which stands in for a tool
// server: spawn has them. README.md lists them for users.
const (
	exitOK          = 0   // all as required
	exitFindings    = 1   // a leak, a survivor, something inconclusive, a bundle not accepted, a canary found, a bad row of an audit log, or a client that sent what is no message
	exitUsage       = 2   // the command line or its files were wrong; nothing was run or served
	exitCannot      = 3   // this machine cannot; the reason says what to do. A scan could not read everything
	exitInterrupted = 130 // Ctrl-C or SIGTERM: everything was cleaned up, nothing was published
	exitPipe        = 141 // whoever read the output has left: 128 and SIGPIPE, as of a program that it ends
)

// errFindings ends a command whose result was already printed.
var errFindings = errors.New("not all as required")

// errOutput means that the result could not be printed, and so counts for nothing.
var errOutput = errors.New("writing the result")

// errServed means that a gateway's client broke off the session.
var errServed = errors.New("the session was ended")

// exitCode maps an error to its code and prints the one line that it deserves.
func exitCode(err error, stderr io.Writer) int {
	var cannot *harness.Cannot
	var stood *errExit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &stood):
		if stood.err != nil {
			fmt.Fprintln(stderr, "postern:", stood.err)
		}
		return stood.code
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.Is(err, errScanStopped), errors.Is(err, errMutateStopped):
		fmt.Fprintln(stderr, "postern:", err)
		return exitInterrupted
	case errors.Is(err, errUnread):
		fmt.Fprintln(stderr, "postern:", err)
		return exitCannot
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "postern: interrupted; containers and processes were removed and nothing was published")
		return exitInterrupted
	case errors.As(err, &cannot):
		fmt.Fprintln(stderr, "postern: this machine cannot:", err)
		return exitCannot
	case errors.Is(err, errOutput) && errors.Is(err, syscall.EPIPE):
		return exitPipe
	case errors.Is(err, harness.ErrFailed), errors.Is(err, errOutput), errors.Is(err, errServed):
		fmt.Fprintln(stderr, "postern:", err)
		return exitFindings
	default:
		fmt.Fprintln(stderr, "postern:", err)
		return exitUsage
	}
}
