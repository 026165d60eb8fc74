package spawn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/landlock"
	"postern/gateway/guard"
)

// The tests start a real server from outside, in a process that stands in for it
// as 'postern guard run' does: this test's own program, started once more.
const orderVariable = "POSTERN_TEST_SPAWN"

// order is what a process of ours is told to start.
type order struct {
	Wrapped guard.Wrapped
	State   string
	Table   guard.Table
	Means   Means
	Weak    Weakness
	Beside  bool // a process of ours stays, and the server runs beside it
	Env     []string
}

func TestMain(m *testing.M) {
	if code, ours := Inner(os.Args); ours {
		os.Exit(code)
	}
	if text, is := os.LookupEnv(orderVariable); is {
		os.Exit(obey(text))
	}
	os.Exit(run(m))
}

// built is the intruder.
var built string

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "postern-spawn-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built = filepath.Join(dir, "intruder")
	build := exec.Command("go", "build", "-o", built, "postern/fixtures/intruder")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	return m.Run()
}

func obey(text string) int {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	r := Request{
		Wrapped: o.Wrapped, State: o.State, Table: o.Table, Means: o.Means, Weak: o.Weak,
		Env: append(o.Env, "PATH=/usr/bin:/bin"), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
	code, err := 0, error(nil)
	if o.Beside {
		code, err = beside(r)
	} else {
		code, err = Run(context.Background(), r)
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
	}
	return code
}

func beside(r Request) (int, error) {
	b, err := Decide(context.Background(), r)
	if err != nil {
		return ExitRefused, err
	}
	p, err := b.Start()
	if err != nil {
		return ExitRefused, err
	}
	return p.Wait()
}

// secret is what no confined server reads; nothing is in it but its length.
const secret = "a secret of the lab"

// lab is a user's home that is thrown away. It is not below /tmp, of which a
// server has one of its own.
type lab struct {
	user                       int
	dir, home, state           string
	standIn, intruder, fetcher string // programs
	profile                    guard.Profile
	means                      Means

	// How a confined server is told that it does not read, write or connect.
	unread, unwritten, unheard unix.Errno
}

// none is what the intruder says of an act that came to nothing.
func none(act string, errno unix.Errno) string { return fmt.Sprint(act, " ", int(errno), " 0") }

// users are root and one without any privilege, where this test may be both.
func users() []int {
	if os.Getuid() != 0 {
		return []int{os.Getuid()}
	}
	return []int{0, 54321}
}

// eachBackend has a test hold for what bubblewrap makes, and for what Landlock does
// where it makes nothing.
func eachBackend(t *testing.T, test func(t *testing.T, l *lab)) {
	t.Run("bubblewrap", func(t *testing.T) { eachUser(t, test) })
	t.Run("landlock", func(t *testing.T) { eachRuled(t, test) })
}

// eachRuled is eachUser for a machine that has Landlock alone.
func eachRuled(t *testing.T, test func(t *testing.T, l *lab)) {
	kernel := landlock.Look()
	if _, err := landlock.Available(kernel); err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "landlock") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, user := range users() {
		t.Run("user "+strconv.Itoa(user), func(t *testing.T) {
			l := build(t, user)
			l.means = Means{Kernel: kernel}
			l.unread, l.unwritten, l.unheard = unix.EACCES, unix.EACCES, unix.EPERM
			test(t, l)
		})
	}
}

func eachUser(t *testing.T, test func(t *testing.T, l *lab)) {
	if _, err := bubblewrap.Available(t.Context(), bubblewrap.Places); err != nil {
		unable := (*bubblewrap.Unable)(nil)
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "bubblewrap") || !errors.As(err, &unable) {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, user := range users() {
		t.Run("user "+strconv.Itoa(user), func(t *testing.T) { test(t, build(t, user)) })
	}
}

func build(t *testing.T, user int) *lab {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "postern-spawn-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l := &lab{
		user: user, dir: dir, home: dir + "/home", standIn: dir + "/stand-in", intruder: dir + "/intruder", fetcher: dir + "/npx",
		state: dir + "/home/.local/state/postern", means: Means{Places: bubblewrap.Places}, unread: unix.ENOENT, unwritten: unix.EROFS, unheard: unix.ECONNREFUSED,
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l.copy(t, self, l.standIn)
	l.copy(t, built, l.intruder)
	l.copy(t, l.intruder, l.fetcher)
	for _, path := range []string{".ssh/id", ".netrc", ".bashrc", "project/.git/config", ".config/app/settings"} {
		l.plant(t, filepath.Join(l.home, path))
	}
	l.own(t)
	return l
}

func (l *lab) copy(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o755); err != nil {
		t.Fatal(err)
	}
}

// plant writes the secret to a file.
func (l *lab) plant(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, l.user, l.user); err != nil {
		t.Fatal(err)
	}
}

// own gives the lab to its user.
func (l *lab) own(t *testing.T) {
	t.Helper()
	if err := os.Chmod(l.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	err := filepath.Walk(l.dir, func(path string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Lchown(path, l.user, l.user))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// enrol stores a profile for the server of a program, and returns the command as
// it stands in a client's file then.
func (l *lab) enrol(t *testing.T, r guard.Request) guard.Wrapped {
	t.Helper()
	r.Server = "lab"
	if r.Command == nil {
		r.Command = []string{l.intruder}
	}
	if r.Tier == "" {
		r.Tier = guard.Standard
	}
	p, err := guard.Derive(r, guard.Machine{OS: "linux", Home: l.home, Temp: "/tmp", State: l.state}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return l.store(t, p, r.Command)
}

func (l *lab) store(t *testing.T, p guard.Profile, command []string) guard.Wrapped {
	t.Helper()
	if err := os.RemoveAll(l.state); err != nil { // it is the user's by now, and a store is its user's alone
		t.Fatal(err)
	}
	err := guard.At(l.state).Update(t.Context(), func([]guard.Entry) ([]guard.Entry, error) {
		return []guard.Entry{{Client: "test", Profile: p}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.own(t)
	l.profile = p
	return guard.Wrapped{Server: p.Server, Profile: p.Hash(), Required: p.Required, Command: command}
}

// order is for a wrapped command with what the intruder is to do.
func (l *lab) order(w guard.Wrapped, acts ...string) order {
	w.Command = append(append([]string{}, w.Command...), acts...)
	w.Original = guard.OriginalHash(w.Server, w.Command, true)
	return order{Wrapped: w, State: l.state, Table: guard.Reference(), Means: l.means}
}

// result is what came of a server.
type result struct {
	lines  []string // of the intruder
	stderr string
	code   int
}

// confined starts a server by the table, and plain one as its user would.
func (l *lab) confined(t *testing.T, o order) result { return l.wait(t, l.command(t, o)) }

func (l *lab) plain(t *testing.T, acts ...string) result {
	return l.wait(t, l.as(exec.CommandContext(t.Context(), l.intruder, acts...)))
}

func (l *lab) command(t *testing.T, o order) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	cmd := l.as(exec.CommandContext(t.Context(), l.standIn))
	cmd.Env = []string{orderVariable + "=" + string(text), "PATH=/usr/bin:/bin"}
	return cmd
}

func (l *lab) as(cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir = "/"
	if l.user != os.Getuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(l.user), Gid: uint32(l.user)}}
	}
	return cmd
}

func (l *lab) wait(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	code := cmd.ProcessState.ExitCode()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() { // the server itself, which took our place
		code = 128 + int(status.Signal())
	}
	return result{strings.Split(strings.TrimSpace(stdout.String()), "\n"), stderr.String(), code}
}

// live is a server that runs until its stdin ends.
type live struct {
	cmd   *exec.Cmd
	stdin io.Closer
	out   *os.File // its stdout
	seen  []byte
}

func start(t *testing.T, cmd *exec.Cmd) *live {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = w, os.Stderr
	err = cmd.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); cmd.Process.Kill(); cmd.Wait() })
	r.SetReadDeadline(time.Now().Add(bound))
	return &live{cmd: cmd, stdin: stdin, out: r}
}

// bound is how long a test waits before it calls something hung.
const bound = 30 * time.Second

// line reads the server's next.
func (s *live) line(t *testing.T) string {
	t.Helper()
	for {
		if line, rest, ok := bytes.Cut(s.seen, []byte("\n")); ok {
			s.seen = rest
			return string(line)
		}
		buffer := make([]byte, 512)
		n, err := s.out.Read(buffer)
		if err != nil {
			t.Fatalf("the server said nothing more: %v", err)
		}
		s.seen = append(s.seen, buffer[:n]...)
	}
}

// ended waits until nobody holds the server's stdout any more.
func (s *live) ended(t *testing.T) {
	t.Helper()
	if _, err := io.Copy(io.Discard, s.out); err != nil {
		t.Fatalf("somebody of the server's is still there: %v", err)
	}
}
