package spawn

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"postern/gateway/guard"
)

func TestExitCodesPassThrough(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		for act, want := range map[string]int{"exit=0": 0, "exit=7": 7, "exit=255": 255, "kill=9": 128 + 9, "kill=15": 128 + 15} {
			if got := l.confined(t, l.order(w, act)); got.code != want {
				t.Errorf("%s: %d, %s", act, got.code, got.stderr)
			}
		}
	})
}

func TestSignalsReachTheServer(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		for name, whole := range map[string]bool{"to us": false, "to our group, as a terminal's": true} {
			cmd := l.command(t, l.order(l.enrol(t, guard.Request{}), "wait="))
			to := 1
			if whole {
				if cmd.SysProcAttr == nil {
					cmd.SysProcAttr = &syscall.SysProcAttr{}
				}
				cmd.SysProcAttr.Setpgid, to = true, -1
			}
			s := start(t, cmd)
			s.line(t)
			if err := syscall.Kill(to*cmd.Process.Pid, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			s.ended(t)
			if s.cmd.Wait(); s.cmd.ProcessState.ExitCode() != 42 {
				t.Errorf("%s: it ended with %d, not as the server does when it is asked to", name, s.cmd.ProcessState.ExitCode())
			}
		}
	})
}

func TestTheServerDiesWithUs(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		s := start(t, l.command(t, l.order(l.enrol(t, guard.Request{}), "wait=")))
		s.line(t)
		if err := s.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		s.ended(t) // its stdin is still open
	})
}

func TestNoFurtherDescriptor(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		held, err := os.Open("/etc/hostname")
		if err != nil {
			t.Fatal(err)
		}
		defer held.Close()
		plain := l.as(l.plainCommand(t, "descriptors="))
		plain.ExtraFiles = []*os.File{held}
		if got := l.wait(t, plain); got.lines[0] == "descriptors 0 0" {
			t.Errorf("the control: %q", got.lines)
		}
		confined := l.command(t, l.order(l.enrol(t, guard.Request{}), "descriptors="))
		confined.ExtraFiles = slices.Repeat([]*os.File{held}, 10) // more than we put in their place
		if got := l.wait(t, confined); got.lines[0] != "descriptors 0 0" {
			t.Errorf("%q, %s", got.lines, got.stderr)
		}
	})
}

// The environment is the server's: what it makes a program load must not get into
// the one that builds the sandbox.
func TestTheEnvironmentIsTheServersAlone(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		const library = "/nonexistent.so"
		outside := exec.CommandContext(t.Context(), "/usr/bin/bwrap", "--version")
		outside.Env = []string{"LD_PRELOAD=" + library}
		if got := l.wait(t, outside); !strings.Contains(got.stderr, library) {
			t.Error("the control: a program outside does not try to load it")
		}
		o := l.order(l.enrol(t, guard.Request{}), "variable=LD_PRELOAD", "variable=EMPTY", "variable=MANY")
		o.Env = []string{"LD_PRELOAD=" + library, "EMPTY=", "MANY=a=b c\nx"}
		got := l.confined(t, o)
		if want := []string{"variable 0 15", "variable 0 0", "variable 0 7"}; !slices.Equal(got.lines, want) || got.stderr != "" {
			t.Errorf("%q, %s", got.lines, got.stderr)
		}
	})
}

func TestCallsThatNoServerNeeds(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		refused := []string{fmt.Sprint(int(unix.EPERM)), fmt.Sprint(int(unix.ENOSYS))}
		errno := func(r result) string {
			if f := strings.Fields(r.lines[0]); len(f) == 3 {
				return f[1]
			}
			return "none"
		}
		for _, call := range []string{"unshare-user", "keyring", "io-uring", "trace", "perf", "vsock", "crypto", "audit", "mount"} {
			if got := errno(l.plain(t, "call="+call)); slices.Contains(refused, got) || got == fmt.Sprint(int(unix.EAFNOSUPPORT)) {
				t.Logf("%s: refused without a sandbox too, so nothing is shown", call)
			}
			if got := l.confined(t, l.order(w, "call="+call)); !slices.Contains(refused, errno(got)) {
				t.Errorf("%s: %q, %s", call, got.lines, got.stderr)
			}
		}
		for _, call := range []string{"interfaces", "lock"} {
			if got := l.confined(t, l.order(w, "call="+call)); errno(got) != "0" {
				t.Errorf("%s: %q, %s", call, got.lines, got.stderr)
			}
		}
	})
}

// What servers are written in runs as it does elsewhere.
func TestOrdinaryProgramsRun(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		for program, text := range map[string]string{
			"/bin/sh":          `cd "${TMPDIR:-/tmp}" && echo one | cat >file && test "$(cat file)" = one && echo yes`,
			"/usr/bin/perl":    `use File::Temp; use Fcntl qw(:flock); my $f = File::Temp->new; flock($f, LOCK_EX) or die; print "yes\n" if fork || exit`,
			"/usr/bin/python3": `import sqlite3, socket, tempfile, threading; d = sqlite3.connect(tempfile.mktemp()); d.execute("create table t (a)"); d.commit(); socket.if_nameindex(); socket.getaddrinfo("localhost", 80); t = threading.Thread(target=print, args=("yes",)); t.start(); t.join()`,
			"/usr/bin/node":    `const fs = require("fs"), os = require("os"); fs.watch(os.tmpdir()).close(); os.networkInterfaces(); new (require("worker_threads").Worker)("console.log('yes')", {eval: true})`,
		} {
			if _, err := os.Stat(program); err != nil {
				t.Logf("%s is not installed", program)
				continue
			}
			option := "-c"
			if program == "/usr/bin/perl" || program == "/usr/bin/node" {
				option = "-e"
			}
			w := l.enrol(t, guard.Request{Command: []string{program, option, text}})
			if got := l.confined(t, l.order(w)); got.code != 0 || got.lines[0] != "yes" {
				t.Errorf("%s: %q, exit code %d, %s", program, got.lines, got.code, got.stderr)
			}
		}
	})
}
