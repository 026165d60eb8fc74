// Package docker confines the agent with a local Docker Engine: it renders a
// profile into what the Engine takes, reads back what the Engine made of it,
// and says for which control the two differ.
//
// It promises that rendering and admission are pure, that admission is closed
// (what it does not know is refused, what is missing is refused), that the
// Engine is reached by the named unix socket and by nothing the environment
// says, and that no call asks for logs.
//
// It does not judge whether a container may run: Create creates what it is
// told to, and the caller must ask Admit before and after Start.
package docker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"postern/gateway/confine"

	"github.com/docker/docker/client"
)

// Engine is one Engine behind one socket.
type Engine struct {
	api    *client.Client
	socket string
}

// Connect reaches the Engine behind a unix socket in the file system, given by
// its path. It ignores DOCKER_HOST and everything else in the environment.
// Every connection checks anew who answers.
func Connect(ctx context.Context, socket string) (*Engine, error) {
	if !filepath.IsAbs(socket) || strings.Contains(socket, "://") {
		return nil, errors.New("connecting to the Engine: want the absolute path of a local unix socket, such as /var/run/docker.sock; a remote Engine cannot be observed from here")
	}
	api, err := client.NewClientWithOpts(
		client.WithHost("unix://"+socket),
		client.WithDialContext(func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dial(ctx, socket)
		}),
		client.WithAPIVersionNegotiation(),
	)
	if err != nil {
		return nil, fmt.Errorf("connecting to the Engine: %w", err)
	}
	if _, err := api.Ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connecting to the Engine at %s: is dockerd running, and may this user open the socket? %w", socket, err), api.Close())
	}
	return &Engine{api: api, socket: socket}, nil
}

// dial opens one connection and refuses whoever is not the Engine: ssh, socat
// and their like forward a socket to a machine that cannot be observed.
func dial(ctx context.Context, socket string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	name, err := peer(conn)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("looking who answers: %w", err), conn.Close())
	}
	if !isEngine(name) {
		return nil, errors.Join(errors.New("another process than dockerd answers: give the socket that dockerd itself listens on"), conn.Close())
	}
	return conn, nil
}

// isEngine knows the processes that listen for an Engine: itself, or the init
// that made the socket before starting it.
func isEngine(process string) bool {
	return process == "dockerd" || process == "systemd"
}

// Facts gathers what Preflight needs, host's half included.
func (e *Engine) Facts(ctx context.Context) (confine.Facts, error) {
	f, err := confine.HostFacts()
	if err != nil {
		return confine.Facts{}, err
	}
	info, err := e.api.Info(ctx)
	if err != nil {
		return confine.Facts{}, fmt.Errorf("asking the Engine about itself: %w", err)
	}
	entry, err := os.Stat(e.socket)
	if err != nil {
		return confine.Facts{}, fmt.Errorf("looking at the Engine's socket: %w", err)
	}
	conn, err := dial(ctx, e.socket)
	if err != nil {
		return confine.Facts{}, fmt.Errorf("asking who is behind the Engine's socket: %w", err)
	}
	if err := conn.Close(); err != nil {
		return confine.Facts{}, fmt.Errorf("closing the connection to the Engine: %w", err)
	}
	f.Socket = e.socket
	f.SocketIsUnix = entry.Mode().Type() == os.ModeSocket
	f.PeerIsDockerd = true // dial refuses all others
	f.EngineOS = info.OSType
	f.OperatingSystem = info.OperatingSystem
	f.EngineKernel = info.KernelVersion
	f.EngineSecurity = info.SecurityOptions
	return f, nil
}

// Socket is the path of the Engine's socket, for a watchdog to reach it by.
func (e *Engine) Socket() string { return e.socket }

// Close ends the connections that are kept for the next call.
func (e *Engine) Close() error { return e.api.Close() }
