package spawn

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"postern/gateway/confine/landlock"
	"postern/gateway/guard"
)

// What Landlock alone must do by rules and a filter, bubblewrap does by name spaces.

func TestRuledWaysOutAreShut(t *testing.T) {
	eachRuled(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		for _, place := range []string{l.home + "/project/notes", l.profile.Scratch + "/mine"} {
			l.plant(t, place)
		}
		l.own(t)
		scratch := l.profile.Scratch
		for act, want := range map[string]string{
			"child=read=" + l.home + "/.ssh/id":                     none("read", unix.EACCES),
			"child=write=" + l.home + "/.bashrc":                    none("write", unix.EACCES),
			"list=" + l.home:                                        none("list", unix.EACCES),
			"list=" + l.home + "/.ssh":                              none("list", unix.EACCES),
			"list=" + l.home + "/project":                           "list 0 2",
			"truncate=" + l.home + "/project/notes":                 none("truncate", unix.EACCES),
			"link=" + l.home + "/.ssh/id:" + scratch + "/id":        none("link", unix.EXDEV),
			"move=" + l.home + "/.ssh/id:" + scratch + "/id":        none("move", unix.EACCES),
			"link=" + l.home + "/project/notes:" + scratch + "/id":  none("link", unix.EXDEV),
			"move=" + scratch + "/mine:" + l.home + "/project/made": none("move", unix.EACCES),
			"write=" + scratch + "/made":                            "write 0 2",
			"write=/dev/null":                                       "write 0 2",
			"write=/tmp/postern-ruled":                              none("write", unix.EACCES),
			"write=/dev/shm/postern-ruled":                          none("write", unix.EACCES),
			"read=/proc/1/cmdline":                                  none("read", unix.EACCES),
			"read=" + fmt.Sprintf("/proc/%d/environ", os.Getpid()):  none("read", unix.EACCES),
			"signal=" + strconv.Itoa(os.Getpid()):                   none("signal", unix.EPERM),
			"dial=udp:127.0.0.1:9":                                  none("dial", unix.EPERM),
			"serve=127.0.0.1:0":                                     none("serve", unix.EPERM),
			"child=call=local":                                      none("call", unix.EPERM),
		} {
			if got := l.confined(t, l.order(w, act)); got.lines[0] != want {
				t.Errorf("%s: %q, want %q, %s", act, got.lines, want, got.stderr)
			}
		}
		for _, call := range []string{"terminal", "terminal-wide", "memory", "queue", "datagram", "raw", "multipath", "local", "rejoined", "limits", "owner", "attribute"} {
			if got := l.confined(t, l.order(w, "call="+call)); got.lines[0] != none("call", unix.EPERM) {
				t.Errorf("%s: %q, %s", call, got.lines, got.stderr)
			}
			if got := l.plain(t, "call="+call); got.lines[0] == none("call", unix.EPERM) && call != "raw" {
				t.Errorf("%s: refused without a confinement too: %q", call, got.lines)
			}
		}
		if got := l.confined(t, l.order(w, "call=joined")); got.lines[0] != "call 0 0" {
			t.Errorf("a pair that is joined: %q", got.lines)
		}
	})
}

func TestRuledTemporaryFilesAreItsOwn(t *testing.T) {
	eachRuled(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{Command: []string{"/bin/sh", "-c", `echo x >"$TMPDIR/file" && mv "$TMPDIR/file" "$TMPDIR/../moved" && echo yes`}})
		o := l.order(w)
		o.Env = []string{"TMPDIR=/tmp"}
		if got := l.confined(t, o); got.lines[0] != "yes" {
			t.Errorf("%q, %s", got.lines, got.stderr)
		}
		if _, err := os.Stat(l.profile.Scratch + "/moved"); err != nil {
			t.Error(err)
		}
	})
}

// A server that made its directory for temporary files a link is granted nothing
// by it at the next start.
func TestRuledScratchLeadsNowhere(t *testing.T) {
	eachRuled(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		l.confined(t, l.order(w))
		temp := l.profile.Scratch + "/tmp"
		if err := os.Remove(temp); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(l.home+"/.ssh", temp); err != nil {
			t.Fatal(err)
		}
		for _, act := range []string{"read=" + temp + "/id", "write=" + temp + "/new"} {
			word, _, _ := strings.Cut(act, "=")
			if got := l.confined(t, l.order(w, act)); got.lines[0] != none(word, unix.EACCES) {
				t.Errorf("%s: %q, %s", act, got.lines, got.stderr)
			}
		}
	})
}

// A port cannot be left open on this machine alone.
func TestRuledPortsAreRefused(t *testing.T) {
	eachRuled(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{Tier: guard.Strict, Ports: []int{5432}})
		if got := l.confined(t, l.order(w, "exit=0")); got.code != ExitRefused || got.lines[0] != "" {
			t.Errorf("exit code %d, %q", got.code, got.lines)
		}
		if e := l.events(t); e[len(e)-1].Reason != "ports-anywhere" || e[len(e)-1].Backend != "landlock" {
			t.Errorf("%+v", e[len(e)-1])
		}
	})
}

// A kernel that is too old, or has no filter, is as none: what must be confined is
// refused before anything is started.
func TestRuledByNothingLess(t *testing.T) {
	eachRuled(t, func(t *testing.T, l *lab) {
		for why, kernel := range map[string]landlock.Kernel{"not-installed": {}, "landlock-off": {}, "landlock-too-old": {ABI: landlock.Least() - 1, Filters: true}, "seccomp-off": {ABI: landlock.Least()}} {
			o := l.order(l.enrol(t, guard.Request{Required: true}), "read="+l.home+"/.ssh/id")
			o.Means = Means{Kernel: kernel}
			if got := l.confined(t, o); got.effect() != refused || got.code != ExitRefused {
				t.Errorf("%s: %s, exit code %d", why, got.effect(), got.code)
			}
			all, err := Survey(t.Context(), o.Means)
			if err != nil || len(all) != 2 || why != all[0].Why && why != all[1].Why {
				t.Errorf("%s: %+v, %v", why, all, err)
			}
			if e := l.events(t); e[len(e)-1].Backend != "not-installed" || e[len(e)-1].Action != "refuse" {
				t.Errorf("%s: %+v", why, e[len(e)-1])
			}
		}
	})
}

// bubblewrap comes first where both are there, and events name the one.
func TestWhichBackendIsChosen(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		both := l.means
		both.Kernel = landlock.Look()
		for want, means := range map[string]Means{"bubblewrap": both, "landlock": {Places: []string{l.dir + "/no-bwrap"}, Kernel: both.Kernel}} {
			if _, err := landlock.Available(both.Kernel); err != nil && want == "landlock" {
				t.Skip(err)
			}
			o := l.order(l.enrol(t, guard.Request{}), "read="+l.home+"/.ssh/id")
			o.Means = means
			if got := l.confined(t, o); got.effect() != masked {
				t.Errorf("%s: %s, %s", want, got.effect(), got.stderr)
			}
			if e := l.events(t); e[len(e)-1].Backend != want {
				t.Errorf("%s: %+v", want, e[len(e)-1])
			}
		}
	})
}

// Beside a process that stays it is the same, and ends with it.
func TestRuledBeside(t *testing.T) {
	eachRuled(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		for act, want := range map[string]struct {
			line string
			code int
		}{
			"read=" + l.home + "/.ssh/id": {none("read", unix.EACCES), 0},
			"read=" + l.home + "/.bashrc": {readAll, 0},
			"call=local":                  {none("call", unix.EPERM), 0},
			"descriptors=":                {"descriptors 0 0", 0},
			"exit=7":                      {"", 7},
			"kill=9":                      {"", 128 + 9},
		} {
			o := l.order(w, act)
			o.Beside = true
			if got := l.confined(t, o); got.lines[0] != want.line || got.code != want.code {
				t.Errorf("%s: %q, exit code %d, %s", act, got.lines, got.code, got.stderr)
			}
		}
		for outlives, weak := range map[bool]landlock.Weakness{false: {}, true: {Outlive: true}} {
			o := l.order(w, "wait=")
			o.Beside, o.Weak.Landlock = true, weak
			s := start(t, l.command(t, o))
			s.line(t)
			if err := s.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			if !outlives {
				s.ended(t) // its stdin is still open
				continue
			}
			s.cmd.Wait()
			if s.stdin.Close(); s.line(t) != "wait 0 0" {
				t.Error("the control has died with us")
			}
		}
	})
}

// Each part of a confinement is taken away in turn, and lets exactly its own act
// succeed, as is seen from outside; the whole lets none.
func TestEachRuleHasAnEffect(t *testing.T) {
	eachRuled(t, func(t *testing.T, l *lab) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		tcp := hearing(t, listener)
		abstract := "@postern-ruled-" + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(l.user)
		hidden, file := listen(t, "unix", abstract), listen(t, "unix", l.home+"/agent.sock")
		l.own(t)
		victim := l.as(l.plainCommand(t, "wait=")) // of the same user, outside
		s := start(t, victim)
		s.line(t)
		w := l.enrol(t, guard.Request{})
		acts := []string{
			"read=" + l.home + "/.ssh/id", "write=" + l.home + "/.bashrc", "signal=" + strconv.Itoa(victim.Process.Pid),
			"dial=tcp:" + listener.Addr().String(), "dial=unix:" + abstract, "dial=unix:" + l.home + "/agent.sock", "call=keyring",
		}
		const read, write, signal, connect, reach, local, key = "0", "1", "2", "3", "4", "5", "6"
		for _, c := range []struct {
			name string
			weak landlock.Weakness
			want string // the acts that succeed
		}{
			{"as it is", landlock.Weakness{}, ""},
			{"no rule of files", landlock.Weakness{Unruled: true}, read + write},
			{"a directory on the way to a secret", landlock.Weakness{Ancestors: true}, read},
			{"what is read may be written", landlock.Weakness{Writable: true}, write},
			{"no scope", landlock.Weakness{Unscoped: true}, signal},
			{"no rule of TCP, for which the filter stands in", landlock.Weakness{Connecting: true}, ""},
			{"no filter", landlock.Weakness{Unfiltered: true}, local + key},
			{"no filter and no rule of TCP", landlock.Weakness{Unfiltered: true, Connecting: true}, connect + local + key},
			{"no filter and no scope", landlock.Weakness{Unfiltered: true, Unscoped: true}, signal + reach + local + key},
		} {
			before, err := os.ReadFile(l.home + "/.bashrc")
			if err != nil {
				t.Fatal(err)
			}
			o := l.order(w, acts...)
			o.Weak.Landlock = c.weak
			got := l.confined(t, o)
			if len(got.lines) != len(acts) {
				t.Errorf("%s: %q, %s", c.name, got.lines, got.stderr)
				continue
			}
			succeeded := ""
			for i, line := range got.lines {
				if f := strings.Fields(line); len(f) == 3 && f[1] == "0" {
					succeeded += strconv.Itoa(i)
				}
			}
			if succeeded != c.want {
				t.Errorf("%s: acts %q succeed, want %q: %q", c.name, succeeded, c.want, got.lines)
			}
			after, err := os.ReadFile(l.home + "/.bashrc")
			if err != nil {
				t.Fatal(err)
			}
			for act, outside := range map[string]bool{write: len(after) != len(before), connect: tcp() > 0, reach: hidden() > 0, local: file() > 0} {
				if outside != strings.Contains(c.want, act) {
					t.Errorf("%s: act %s is seen outside: %v", c.name, act, outside)
				}
			}
		}
		if err := syscall.Kill(victim.Process.Pid, 0); err != nil {
			t.Error(err)
		}
	})
}

// Root too has no privilege left, and no program gives it any.
func TestRuledWithoutPrivilege(t *testing.T) {
	eachRuled(t, func(t *testing.T, l *lab) {
		const says = `while read name value; do case $name in Cap[IPEA]*|NoNewPrivs:|Seccomp:) echo $value; esac; done </proc/self/status`
		w := l.enrol(t, guard.Request{Command: []string{"/bin/sh", "-c", says}})
		const no = "0000000000000000"
		if got := l.confined(t, l.order(w)); fmt.Sprint(got.lines) != fmt.Sprint([]string{no, no, no, no, "1", "2"}) {
			t.Errorf("%q, %s", got.lines, got.stderr)
		}
	})
}
