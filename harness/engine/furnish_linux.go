package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"postern/harness/host"
)

// hostContainerd is where dockerd looks for a containerd that runs already.
const hostContainerd = "/run/containerd/containerd.sock"

// longest is what a daemon appends to home for its longest socket.
const (
	longest   = "/x/containerd/containerd-debug.sock"
	sunPath   = 107 // bytes, unix(7), without the final NUL
	homeLimit = sunPath - len(longest)
)

// furnish makes the directory of an Engine, with its owner's name first: what
// has no owner is never swept.
func furnish(dir string, o Options) (_ home, err error) {
	made := os.Mkdir(dir, 0o700)
	if made != nil && !errors.Is(made, fs.ErrExist) {
		return "", fmt.Errorf("making the Engine's directory: %w", made)
	}
	defer func() {
		if err != nil && made == nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	h, err := locate(dir)
	if err != nil {
		return "", fmt.Errorf("making the Engine's directory: %w", err)
	}
	if len(h) > homeLimit {
		return "", fmt.Errorf("making the Engine's directory: its path has %d bytes, and unix sockets leave %d; choose a shorter one", len(h), homeLimit)
	}
	entries, err := os.ReadDir(string(h))
	if err != nil {
		return "", fmt.Errorf("making the Engine's directory: %w", err)
	}
	if len(entries) > 0 {
		return "", errors.New("making the Engine's directory: it is not empty; sweep it, or choose another")
	}
	self, err := host.Self()
	if err != nil {
		return "", fmt.Errorf("making the Engine's directory: %w", err)
	}
	config, err := dockerdConfig(h, o)
	if err != nil {
		return "", fmt.Errorf("making dockerd's configuration: %w", err)
	}
	return h, errors.Join(
		os.WriteFile(h.owner(), []byte(self.String()), 0o600),
		os.WriteFile(h.dockerdConfig(), config, 0o600),
		os.WriteFile(h.containerdConfig(), containerdConfig(h), 0o600),
	)
}

// locate resolves symbolic links, because the mount table does.
func locate(dir string) (home, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	return home(real), err
}

// dockerdConfig replaces the host's /etc/docker/daemon.json. Containers get
// the cgroup "/docker/ID", which is what admission wants.
func dockerdConfig(h home, o Options) ([]byte, error) {
	c := map[string]any{
		"hosts":        []string{"unix://" + h.socket()},
		"group":        "root", // not "docker": nobody else has business here
		"data-root":    h.data(),
		"exec-root":    h.exec(),
		"pidfile":      h.pidfile(),
		"bridge":       "none",
		"iptables":     false,
		"ip-forward":   false,
		"ip-masq":      false,
		"live-restore": o.LiveRestore,
		"exec-opts":    []string{"native.cgroupdriver=cgroupfs"},
		"log-level":    "warn",
	}
	if o.Storage != "" {
		c["storage-driver"] = o.Storage
	}
	if o.Seccomp != "" {
		c["seccomp-profile"] = o.Seccomp
	}
	if o.Separate {
		c["containerd"] = h.containerd()
	}
	return json.Marshal(c)
}

// containerdConfig is for a separate one. The opt plugin would make
// /opt/containerd, the cri plugin serves Kubernetes.
func containerdConfig(h home) []byte {
	return fmt.Appendf(nil, `version = 2
root = %q
state = %q
disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.internal.v1.opt"]
[grpc]
  address = %q
[debug]
  level = "warn"
`, h.at("r/containerd/daemon"), h.at("x/containerd/daemon"), h.containerd())
}
