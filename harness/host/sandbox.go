package host

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"postern/gateway/confine/landlock"
)

// Sandbox is what the machine has for confining a program without an Engine, as
// numbers. A setting that the kernel does not have is nil.
type Sandbox struct {
	MaxNamespaces *int `json:"user.max_user_namespaces"`                     // 0 forbids user namespaces: user_namespaces(7)
	Unprivileged  *int `json:"kernel.unprivileged_userns_clone"`             // 0 forbids them to users; Debian's kernels
	Restricted    *int `json:"kernel.apparmor_restrict_unprivileged_userns"` // 1 leaves them without rights; Ubuntu's kernels

	Bubblewrap string `json:"bubblewrap"`         // where it is, or ""
	Version    string `json:"bubblewrap_version"` // "0.8.0", or "" where it does not say

	LandlockABI int `json:"landlock_abi"` // 0 where the kernel has none, or it is off: landlock(7)
}

// LookSandbox gathers it. Everything but Landlock is looked for below root, "/"
// but in tests; places are where bwrap may be.
func LookSandbox(ctx context.Context, root string, places []string) Sandbox {
	s := Sandbox{
		MaxNamespaces: setting(root, "user/max_user_namespaces"),
		Unprivileged:  setting(root, "kernel/unprivileged_userns_clone"),
		Restricted:    setting(root, "kernel/apparmor_restrict_unprivileged_userns"),
		LandlockABI:   landlock.Look().ABI,
	}
	for _, place := range places {
		path := filepath.Join(root, place)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			s.Bubblewrap, s.Version = place, version(ctx, path)
			break
		}
	}
	return s
}

func setting(root, name string) *int {
	text, err := os.ReadFile(filepath.Join(root, "proc/sys", name))
	if err != nil {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return nil
	}
	return &n
}

// patience bounds a program that says its version, which takes milliseconds.
const patience = 10 * time.Second

// version is what bwrap says, as numbers: whatever else stands there says so.
func version(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env, cmd.WaitDelay = []string{"LC_ALL=C"}, time.Second
	said, err := cmd.Output()
	if err != nil {
		return ""
	}
	var major, minor, patch int
	if n, _ := fmt.Sscanf(string(said), "bubblewrap %d.%d.%d", &major, &minor, &patch); n < 2 {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d", major, minor, patch)
}

// Forbids names the settings that keep users from making namespaces.
func (s Sandbox) Forbids() (settings []string) {
	if s.MaxNamespaces != nil && *s.MaxNamespaces == 0 {
		settings = append(settings, "user.max_user_namespaces=0")
	}
	if s.Unprivileged != nil && *s.Unprivileged == 0 {
		settings = append(settings, "kernel.unprivileged_userns_clone=0")
	}
	if s.Restricted != nil && *s.Restricted != 0 {
		settings = append(settings, "kernel.apparmor_restrict_unprivileged_userns=1")
	}
	return settings
}
