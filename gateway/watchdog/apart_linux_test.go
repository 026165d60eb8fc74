package watchdog

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func procfs(t testing.TB, pid int, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// links are what a process has open, by descriptor.
func links(t testing.TB, pid int) map[string]string {
	t.Helper()
	dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		if link, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil {
			out[e.Name()] = link
		}
	}
	return out
}

// holds looks through all memory that a process can read of itself.
func holds(t testing.TB, pid int, canary string) bool {
	t.Helper()
	mem, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "mem"))
	if err != nil {
		t.Fatal(err)
	}
	defer mem.Close()
	read := 0
	for lines := bufio.NewScanner(strings.NewReader(procfs(t, pid, "maps"))); lines.Scan(); {
		f := strings.Fields(lines.Text())
		var from, to int64
		if _, err := fmt.Sscanf(f[0], "%x-%x", &from, &to); err != nil || f[1][0] != 'r' || strings.HasPrefix(f[len(f)-1], "[v") {
			continue // of the kernel's, not of the process's
		}
		for chunk := int64(1 << 20); from < to; from += chunk {
			b := make([]byte, min(chunk+int64(len(canary)), to-from))
			n, _ := mem.ReadAt(b, from)
			read += n
			if bytes.Contains(b[:n], []byte(canary)) {
				return true
			}
		}
	}
	if read < 1<<20 {
		t.Fatalf("only %d bytes of memory could be read", read)
	}
	return false
}

// checkApart looks at an armed watchdog from outside.
func checkApart(t *testing.T, s scene) {
	canary := rand.Text()
	b := startBridge(t, task{Options: s.options(), Canary: canary})
	if !holds(t, b.pid, canary) {
		t.Fatal("the bridge does not hold the canary: the search is broken")
	}
	if holds(t, b.watchdog, canary) {
		t.Error("the watchdog holds the canary")
	}
	if environ := procfs(t, b.watchdog, "environ"); environ != "" {
		t.Errorf("%d bytes of environment", len(environ))
	}
	o, err := s.options().complete()
	if err != nil {
		t.Fatal(err)
	}
	want := append(slices.Clone(o.Command), o.arguments()...)
	if got := strings.Split(strings.TrimSuffix(procfs(t, b.watchdog, "cmdline"), "\x00"), "\x00"); !slices.Equal(got, want) {
		t.Errorf("arguments %q, want %q", got, want)
	}
	if cwd, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", b.watchdog)); cwd != "/" {
		t.Errorf("it works in %s", cwd)
	}
	// Fields of stat after the name, see proc_pid_stat(5).
	_, rest, _ := strings.Cut(procfs(t, b.watchdog, "stat"), ") ")
	if f := strings.Fields(rest); f[3] != strconv.Itoa(b.watchdog) || f[2] != f[3] || f[4] != "0" {
		t.Errorf("group %s, session %s, terminal %s of process %d", f[2], f[3], f[4], b.watchdog)
	}
	checkMaps(t, b)
	checkDescriptors(t, b, s.fake == nil)
}

// checkMaps wants no file mapped but the program.
func checkMaps(t *testing.T, b standIn) {
	exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", b.watchdog))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(procfs(t, b.watchdog, "maps")) {
		f := strings.Fields(line)
		if f[4] == "0" || strings.HasPrefix(filepath.Base(f[5]), "lib") || strings.HasPrefix(filepath.Base(f[5]), "ld-") {
			continue // of no file, or of the race detector's libraries
		}
		if f[5] != exe {
			t.Errorf("mapped: %s", f[5])
		}
	}
}

// asking says whether a connection to the Engine is open.
func asking(own map[string]string) bool {
	for _, link := range own {
		if strings.HasPrefix(link, "socket:") {
			return true
		}
	}
	return false
}

// checkDescriptors wants two pipe ends, which only the bridge has as well, and
// what a Go program opens itself.
func checkDescriptors(t *testing.T, b standIn, pidfd bool) {
	own := links(t, b.watchdog)
	for end := time.Now().Add(patience); asking(own) && time.Now().Before(end); own = links(t, b.watchdog) {
		time.Sleep(time.Millisecond) // net/http closes a connection behind the answer's back
	}
	pipes := []string{own[strconv.Itoa(beatsFD)], own[strconv.Itoa(answersFD)]}
	held := 0
	for fd, link := range own {
		switch {
		case slices.Contains(pipes, link) && strings.HasPrefix(link, "pipe:"):
		case link == "/dev/null" && len(fd) == 1 && fd < "3":
		case link == "anon_inode:[eventpoll]", link == "anon_inode:[eventfd]":
		case strings.HasPrefix(link, "/sys/fs/cgroup/"): // the runtime's look at its CPU quota
		case pidfd && (link == "anon_inode:[pidfd]" || strings.HasPrefix(link, "pidfd:")):
			held++
		default:
			t.Errorf("descriptor %s is %s", fd, link)
		}
	}
	if pipes[0] == pipes[1] || pidfd && held != 1 {
		t.Errorf("open: %v", own)
	}
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	ends := map[int]int{}
	for _, dir := range processes {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		entries, err := os.ReadDir(dir + "/fd")
		if err != nil {
			continue // it has ended, or is not ours to look at
		}
		for _, e := range entries {
			if link, err := os.Readlink(dir + "/fd/" + e.Name()); err == nil && slices.Contains(pipes, link) {
				ends[pid]++
			}
		}
	}
	if len(ends) != 2 || ends[b.pid] != 2 || ends[b.watchdog] != 2 {
		t.Errorf("ends of the pipes by process: %v; bridge %d, watchdog %d", ends, b.pid, b.watchdog)
	}
}

func TestTheWatchdogStandsApart(t *testing.T) { checkApart(t, fakeScene(t)) }

func TestTheWatchdogOfARealContainerStandsApart(t *testing.T) {
	checkApart(t, realWard(t).admit(t))
}

// A bridge that starts other processes meanwhile gives none of them a pipe.
func TestOthersDoNotInheritThePipes(t *testing.T) {
	for range 5 {
		s := fakeScene(t)
		o := s.options()
		o.Timing = slow()
		b := startBridge(t, task{Options: o, Forks: 20})
		checkDescriptors(t, b, false)
		kill(b.pid, 9)
		if !gone(t, s.pidfd, slow().Heartbeat/2) {
			t.Error("the end of the pipe is not seen")
		}
	}
}

// It is the watchdog's session, not luck, that keeps it from the bridge's end.
func TestAWatchdogInTheSameGroupIsSeenToBe(t *testing.T) {
	s := fakeScene(t)
	o := s.options()
	o.Weak.SameGroup = true
	b := startBridge(t, task{Options: o})
	_, rest, _ := strings.Cut(procfs(t, b.watchdog, "stat"), ") ")
	if f := strings.Fields(rest); f[2] != strconv.Itoa(b.pid) {
		t.Errorf("group %s of bridge %d", f[2], b.pid)
	}
	kill(-b.pid, 9)
	if !gone(t, b.dogfd, patience) || gone(t, s.pidfd, 200*time.Millisecond) {
		t.Error("the group did not die together")
	}
}
