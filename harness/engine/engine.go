// Package engine starts a second, private Docker Engine, so that a trial can
// stop, kill and pause dockerd without harm to the one that others use.
//
// It promises that the private Engine keeps everything in one directory, has a
// network namespace of its own without a bridge (a second daemon without one
// deletes docker0 of the first), that its dockerd dies with the process that
// started it, and that Close, or Sweep after a kill -9, leaves no process,
// mount, cgroup, socket or file.
//
// It does not isolate: it shares the kernel, the cgroup "/docker", uids and
// keyrings with the host. Before Engine 23 it also has the id of the first one,
// because both read /etc/docker/key.json. A container that runs when the
// harness is killed goes on until Sweep.
package engine

import (
	"context"
	"errors"
)

// Options say how the private Engine runs. The zero value is the Engine's own
// choice.
type Options struct {
	LiveRestore bool   // containers outlive an orderly end of dockerd
	Separate    bool   // containerd is no child of dockerd, as where an init system starts both
	Storage     string // storage driver; empty lets dockerd choose
	Seccomp     string // file with the default seccomp filter; empty is the Engine's own
}

// NotApplicable means that this machine cannot run a private Engine.
type NotApplicable struct{ Reason string }

func (e *NotApplicable) Error() string { return "no private Engine here: " + e.Reason }

// ErrInUse means that the process that started the Engine still runs.
var ErrInUse = errors.New("its process still runs")

// Start starts a private Engine with the zero Options in dir, which must be
// empty or absent, and whose path must be short: see Options.Start.
func Start(ctx context.Context, dir string) (*Private, error) { return Options{}.Start(ctx, dir) }
