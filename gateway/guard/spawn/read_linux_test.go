package spawn

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"postern/gateway/guard"
)

var readAll = fmt.Sprint("read 0 ", len(secret))

// ways are paths by which a server could come to a secret. Each sets its way up
// and says where the secret is read.
func ways(t *testing.T, l *lab) map[string]string {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	at := map[string]string{
		"its path":             l.home + "/.ssh/id",
		"a file of its own":    l.home + "/.netrc",
		"a way back":           l.home + "/.config/../.ssh/../.ssh/./id",
		"/proc/self/root":      "/proc/self/root" + l.home + "/.ssh/id",
		"/proc/self/cwd":       "/proc/self/cwd" + l.home + "/.ssh/id",
		"a link to it":         l.home + "/project/link",
		"a link in scratch":    l.state + "/scratch/" + guard.Segment("lab") + "/link",
		"behind a link":        l.dir + "/elsewhere/aws/credentials",
		"behind a link of its": l.dir + "/vault/key",
		"the guard's store":    l.state + "/planted",
		"temporary files":      l.home + "/unset",
	}
	must(os.Symlink(l.home+"/.ssh/id", at["a link to it"]))
	must(os.MkdirAll(filepath.Dir(at["a link in scratch"]), 0o700))
	must(os.Symlink("../../../../../.ssh/id", at["a link in scratch"]))
	l.plant(t, at["behind a link"])
	must(os.Symlink("../elsewhere/aws", l.home+"/.aws"))
	l.plant(t, at["behind a link of its"])
	must(os.Symlink(at["behind a link of its"], l.home+"/.ssh/other"))
	l.plant(t, at["the guard's store"])
	temp, err := os.MkdirTemp("/tmp", "postern-spawn-")
	must(err)
	t.Cleanup(func() { os.RemoveAll(temp) })
	must(os.Chmod(temp, 0o755))
	at["temporary files"] = temp + "/file"
	l.plant(t, at["temporary files"])
	if os.Getuid() == 0 {
		for name, from := range map[string]string{"mounted": l.home + "/.ssh", "its home mounted": l.home} {
			to := l.dir + "/" + filepath.Base(from) + "-mounted"
			must(os.Mkdir(to, 0o755))
			must(unix.Mount(from, to, "", unix.MS_BIND, ""))
			t.Cleanup(func() { unix.Unmount(to, unix.MNT_DETACH) })
			at[name] = to + "/id"
		}
		at["its home mounted"] = l.dir + "/home-mounted/.ssh/id"
	}
	l.own(t)
	if l.user == os.Getuid() { // another user may not follow it
		at["another's root"] = fmt.Sprintf("/proc/%d/root%s/.ssh/id", os.Getpid(), l.home)
	}
	return at
}

func TestNoWayLeadsToASecret(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		at := ways(t, l)
		for name, path := range at {
			if got := l.plain(t, "read="+path); got.lines[0] != readAll {
				t.Errorf("%s: the control reads %q", name, got.lines)
			}
			if got := l.confined(t, l.order(w, "read="+path)); got.lines[0] != none("read", l.unread) || got.code != 0 {
				t.Errorf("%s: %q, exit code %d, %s", name, got.lines, got.code, got.stderr)
			}
		}
	})
}

// What is no secret must be read, or the test above shows nothing.
func TestTheRestIsRead(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		for _, path := range []string{"/.bashrc", "/project/.git/config", "/.config/app/settings"} {
			if got := l.confined(t, l.order(w, "read="+l.home+path)); got.lines[0] != readAll {
				t.Errorf("%s: %q, %s", path, got.lines, got.stderr)
			}
		}
	})
}

// A secret that comes into being, or is replaced, while the server runs.
func TestLaterSecretsStayMasked(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		at := []string{l.home + "/.kube/config", l.home + "/.netrc", l.home + "/.ssh/new", l.home + "/.config/gh/hosts.yml"}
		acts := []string{"wait="}
		for _, path := range at {
			acts = append(acts, "read="+path)
		}
		s := start(t, l.command(t, l.order(w, acts...)))
		if got := s.line(t); got != "waiting 0 0" {
			t.Fatal(got)
		}
		if err := os.Remove(l.home + "/.netrc"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(l.home+"/.ssh", l.home+"/.ssh-old"); err != nil {
			t.Fatal(err)
		}
		for _, path := range at {
			l.plant(t, path)
		}
		l.own(t)
		s.stdin.Close()
		s.line(t) // of the wait
		for _, path := range at {
			if got := l.plain(t, "read="+path); got.lines[0] != readAll {
				t.Errorf("%s: the control reads %q", path, got.lines)
			}
			if got := s.line(t); got != none("read", l.unread) {
				t.Errorf("%s: %q", path, got)
			}
		}
	})
}

// What is mounted on the host while the server runs does not appear in its tree.
func TestLaterMountsAreNotSeen(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root mounts")
	}
	eachUser(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		mount := func(from, to string, flags uintptr) {
			t.Helper()
			if err := unix.Mount(from, to, "", flags, ""); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { unix.Unmount(to, unix.MNT_DETACH) })
		}
		place := l.home + "/project/place"
		l.plant(t, place+"/before")
		mount(l.home+"/project", l.home+"/project", unix.MS_BIND)
		if err := unix.Mount("", l.home+"/project", "", unix.MS_SHARED, ""); err != nil { // as systemd has it for all
			t.Fatal(err)
		}
		l.own(t)
		s := start(t, l.command(t, l.order(w, "wait=", "read="+place+"/id", "read="+place+"/before")))
		s.line(t)
		mount(l.home+"/.ssh", place, unix.MS_BIND)
		if got := l.plain(t, "read="+place+"/id"); got.lines[0] != readAll {
			t.Errorf("the control reads %q", got.lines)
		}
		s.stdin.Close()
		s.line(t) // of the wait
		if got := s.line(t); got != none("read", l.unread) {
			t.Errorf("%q", got)
		}
		if got := s.line(t); got != readAll {
			t.Errorf("what was there before: %q", got)
		}
	})
}

// Where a file system folds case another spelling is the same file; elsewhere it
// is another one, and left out too.
func TestOtherSpellingsStayMasked(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		for _, path := range []string{l.home + "/.SSH/id", l.home + "/.Config/GH/hosts.yml"} {
			l.plant(t, path)
			l.own(t)
			if got := l.plain(t, "read="+path); got.lines[0] != readAll {
				t.Errorf("the control reads %q", got.lines)
			}
			if got := l.confined(t, l.order(w, "read="+path)); got.lines[0] != none("read", l.unread) {
				t.Errorf("%q, %s", got.lines, got.stderr)
			}
		}
	})
}

// No mask covers another name of the same file: such a server is not started.
func TestAHardLinkIsRefused(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		other := l.home + "/project/notes"
		if err := os.Link(l.home+"/.ssh/id", l.home+"/.ssh/same"); err != nil {
			t.Fatal(err)
		}
		if got := l.confined(t, l.order(w, "read="+l.home+"/.ssh/same")); got.lines[0] != none("read", l.unread) {
			t.Errorf("both names masked: %q, %s", got.lines, got.stderr)
		}
		if err := os.Link(l.home+"/.ssh/id", other); err != nil {
			t.Fatal(err)
		}
		if got := l.plain(t, "read="+other); got.lines[0] != readAll {
			t.Errorf("the control reads %q", got.lines)
		}
		if got := l.confined(t, l.order(w, "read="+other)); got.code != ExitRefused || got.lines[0] != "" {
			t.Errorf("exit code %d, %q", got.code, got.lines)
		}
		if e := l.events(t); e[len(e)-1].Action != "refuse" || e[len(e)-1].Reason != "secret-linked" {
			t.Errorf("%+v", e[len(e)-1])
		}
	})
}

// A home that is mounted twice has no more links for that: neither is a link
// outside overlooked, nor are those inside counted as too few.
func TestAHardLinkInAHomeMountedTwice(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root mounts")
	}
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		within, outside := l.home+"/.ssh/same", l.home+"/project/notes"
		if err := os.Link(l.home+"/.ssh/id", within); err != nil {
			t.Fatal(err)
		}
		for again, from := range map[string]string{l.dir + "/again": l.home, l.home + "/.aws": l.home + "/.ssh"} {
			if err := os.Mkdir(again, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := unix.Mount(from, again, "", unix.MS_BIND, ""); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { unix.Unmount(again, unix.MNT_DETACH) })
		}
		if got := l.confined(t, l.order(w, "read="+within)); got.lines[0] != none("read", l.unread) {
			t.Errorf("both names masked: %q, %s", got.lines, got.stderr)
		}
		if err := os.Link(l.home+"/.ssh/id", outside); err != nil {
			t.Fatal(err)
		}
		if got := l.plain(t, "read="+outside); got.lines[0] != readAll {
			t.Errorf("the control reads %q", got.lines)
		}
		if got := l.confined(t, l.order(w, "read="+outside)); got.code != ExitRefused || got.lines[0] != "" {
			t.Errorf("exit code %d, %q", got.code, got.lines)
		}
	})
}

// A program that listens in the file system is not there for the server.
func TestOtherProgramsAreNotReached(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		for _, path := range []string{l.dir + "/agent.sock", l.home + "/project/agent.sock"} {
			heard := listen(t, "unix", path)
			l.own(t)
			if got := l.plain(t, "dial=unix:"+path); got.lines[0] != "dial 0 2" || heard() != 1 {
				t.Errorf("the control: %q", got.lines)
			}
			if got := l.confined(t, l.order(w, "dial=unix:"+path)); got.lines[0] != none("dial", unix.ENOENT) || heard() != 0 {
				t.Errorf("%q, %s", got.lines, got.stderr)
			}
		}
	})
}

// listen hears connections, and tells how many came since it was last asked.
func listen(t *testing.T, network, address string) func() int {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return hearing(t, l)
}
