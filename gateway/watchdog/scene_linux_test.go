package watchdog

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience bounds what must happen. It is no statement about speed.
const patience = 30 * time.Second

func program0() []string { return []string{"/proc/self/exe", "watchdog"} }

// scene is something to watch, and our own hold on its first process.
type scene struct {
	socket, container string
	pid               int
	pidfd             int
	fake              *fakeEngine // nil for a real one
}

func (s scene) options() Options {
	return Options{Command: program0(), Socket: s.socket, Container: s.container, PID: s.pid, Weak: Weakness{NoPidfd: s.fake != nil}}
}

// gone waits for the process to end.
func gone(t testing.TB, pidfd int, within time.Duration) bool {
	t.Helper()
	for end := time.Now().Add(within); ; {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}, max(0, int(time.Until(end).Milliseconds())))
		switch {
		case err == unix.EINTR:
		case err != nil:
			t.Fatal(err)
		default:
			return n == 1
		}
	}
}

func pidfdOf(t testing.TB, pid int) int {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}

// fakeEngine answers for one container, which is a process of ours. It is in
// no cgroup of that name, so that only the way without a pidfd leads here.
type fakeEngine struct {
	container string
	pid       int
	kill      func()

	mu      sync.Mutex
	fail    int    // so many kills are refused first
	deaf    bool   // kills are accepted and nothing happens
	account string // given instead of the account, where not empty
	kills   int
	running bool
}

func (f *fakeEngine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	what, ok := strings.CutPrefix(r.URL.Path, "/containers/"+f.container)
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
	case what == "/json" && f.account != "":
		io.WriteString(w, f.account)
	case what == "/json":
		json.NewEncoder(w).Encode(map[string]any{
			"Id": f.container, "State": map[string]any{"Running": f.running, "Pid": f.pid},
		})
	case what == "/wait":
		io.WriteString(w, `{"StatusCode":137}`)
	case what == "/kill" && r.URL.Query().Get("signal") == "KILL" && r.Method == http.MethodPost:
		f.kills++
		switch {
		case f.kills <= f.fail:
			w.WriteHeader(http.StatusInternalServerError)
			return
		case !f.running:
			w.WriteHeader(http.StatusConflict)
			return
		case !f.deaf:
			f.running = false
			f.kill()
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

func (f *fakeEngine) killed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kills
}

// serve listens on a unix socket until the test ends.
func serve(t testing.TB, h http.Handler) (socket string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "watchdog") // t.TempDir may be too long for a socket's path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket = filepath.Join(dir, "engine")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return socket
}

func someContainer() string { return strings.Repeat("0a", 32) }

// fakeScene needs neither an Engine nor root.
func fakeScene(t testing.TB) scene {
	t.Helper()
	patient := exec.Command("/proc/self/exe", "patient")
	if _, err := patient.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := patient.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { patient.Process.Kill(); patient.Wait() })
	f := &fakeEngine{container: someContainer(), pid: patient.Process.Pid, running: true, kill: func() { patient.Process.Kill() }}
	return scene{socket: serve(t, f), container: f.container, pid: f.pid, pidfd: pidfdOf(t, f.pid), fake: f}
}

// standIn is a bridge process under our eyes.
type standIn struct {
	pid      int
	watchdog int // pid
	dogfd    int
	pidfd    bool // what the watchdog said
	stdin    io.WriteCloser
	said     chan report
}

// startBridge starts one in a process group of its own, with descriptors that
// it did not ask for and an environment, and waits until it has armed.
func startBridge(t testing.TB, k task) standIn {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", "bridge")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stray, err := os.Open("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	defer stray.Close()
	cmd.ExtraFiles = []*os.File{stray, stray, stray, stray}
	cmd.Env = append(os.Environ(), "POSTERN_TEST_CANARY="+k.Canary)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := standIn{pid: cmd.Process.Pid, stdin: stdin, said: make(chan report, 4)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(b.said)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			var r report
			if json.Unmarshal(lines.Bytes(), &r) == nil {
				b.said <- r
			}
		}
	}()
	t.Cleanup(func() { cmd.Process.Kill(); <-read; cmd.Wait() })
	order, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stdin.Write(append(order, '\n')); err != nil {
		t.Fatal(err)
	}
	r := b.next(t)
	if r.Said != "armed" {
		t.Fatalf("the bridge has %s", r.Said)
	}
	b.watchdog, b.pidfd, b.dogfd = r.Watchdog, r.Pidfd, pidfdOf(t, r.Watchdog)
	t.Cleanup(func() { // the end of its pipe ends it, and the fault may have been to stop it
		unix.PidfdSendSignal(b.dogfd, unix.SIGCONT, nil, 0)
		cmd.Process.Kill()
		if !gone(t, b.dogfd, patience) {
			t.Error("the watchdog is left behind")
		}
	})
	return b
}

func (b standIn) next(t testing.TB) report {
	t.Helper()
	select {
	case r := <-b.said:
		return r
	case <-time.After(patience):
		t.Fatal("the bridge says nothing")
		return report{}
	}
}

// disarm asks for the clean end and returns what came of it.
func (b standIn) disarm(t testing.TB) report {
	t.Helper()
	if _, err := b.stdin.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	return b.next(t)
}
