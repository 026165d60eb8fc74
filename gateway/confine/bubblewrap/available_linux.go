package bubblewrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// patience bounds a probe, which takes milliseconds.
const patience = 10 * time.Second

// Available looks for a bwrap that works, in these places, by making a sandbox
// with each kind of namespace that a server's has. Where there is none the error
// is an *Unable.
func Available(ctx context.Context, places []string) (Backend, error) {
	// With nothing to change it is an error, or there is no such call: Linux 5.12.
	if errors.Is(unix.MountSetattr(-1, "", 0, &unix.MountAttr{}), unix.ENOSYS) {
		return Backend{}, &Unable{KernelTooOld}
	}
	path, why := find(places)
	if why != "" {
		return Backend{}, &Unable{why}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, users := range ways() {
		b := Backend{path, users}
		probe := append(b.namespaces(true, Weakness{}), "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--", path, "--version")
		if said, err := command(ctx, path, probe...).Output(); err == nil {
			if !recent(said) {
				return Backend{}, &Unable{TooOld}
			}
			return b, nil
		}
		if ctx.Err() != nil {
			return Backend{}, fmt.Errorf("trying bubblewrap: %w", ctx.Err())
		}
	}
	// An old one knows no --disable-userns: it may make no sandbox, and yet say why.
	if said, err := command(ctx, path, "--version").Output(); err != nil || !recent(said) {
		return Backend{}, &Unable{TooOld}
	}
	if usersOff() {
		return Backend{}, &Unable{NamespacesOff}
	}
	return Backend{}, &Unable{ProbeFailed}
}

// ways are how a sandbox is parted from the machine's users, the best first.
func ways() [][]string {
	ways := [][]string{{"--unshare-user", "--disable-userns"}, {"--unshare-user"}}
	if os.Geteuid() == 0 {
		ways = append(ways, nil) // root needs no user namespace to make the others
	}
	return ways
}

func command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env = "/", []string{"LC_ALL=C"}
	return cmd
}

// find takes the first that is there, if nobody but root can have written it.
func find(places []string) (string, Why) {
	for _, place := range places {
		path, err := filepath.EvalSymlinks(place)
		if err != nil {
			continue
		}
		for at := path; ; at = filepath.Dir(at) {
			info, err := os.Stat(at)
			if err != nil {
				return "", NotTrusted
			}
			st, ok := info.Sys().(*syscall.Stat_t)
			if !ok || st.Uid != 0 || info.Mode().Perm()&0o022 != 0 && info.Mode()&os.ModeSticky == 0 {
				return "", NotTrusted
			}
			if at == "/" {
				return path, ""
			}
		}
	}
	return "", NotInstalled
}

// recent wants 0.6 or later, which has all that is asked of it, by what it says of
// its version.
func recent(said []byte) bool {
	var major, minor int
	if _, err := fmt.Sscanf(string(said), "bubblewrap %d.%d", &major, &minor); err != nil {
		return false
	}
	return major > 0 || minor >= 6
}

// usersOff reports whether a setting forbids user namespaces.
func usersOff() bool {
	for file, off := range map[string]string{
		"/proc/sys/user/max_user_namespaces":                     "0",
		"/proc/sys/kernel/unprivileged_userns_clone":             "0",
		"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1",
	} {
		text, err := os.ReadFile(file)
		if err == nil && strings.TrimSpace(string(text)) == off || err != nil && !errors.Is(err, os.ErrNotExist) {
			return true
		}
	}
	return false
}
