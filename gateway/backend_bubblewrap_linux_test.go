package gateway

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/bubblewrap/cell"
	"postern/gateway/watchdog"
)

// celledBackend makes cells whose root holds the real agent alone.
func celledBackend(t *testing.T) Bubblewrap {
	t.Helper()
	made, err := bubblewrap.Available(t.Context(), bubblewrap.Places)
	if err != nil || os.Geteuid() != 0 {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "bubblewrap") {
			t.Fatalf("bubblewrap, as root, is required: %v", err)
		}
		t.Skipf("no bubblewrap as root: %v", err)
	}
	root, err := os.MkdirTemp("", "postern-root-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	build(root, "agent")
	return Bubblewrap{
		Bwrap: made.Path(), Stage: []string{os.Args[0], cell.StageCommand}, Root: root, Command: []string{"/agent"},
	}
}

// A session without an Engine comes to the same end, and each part of the sandbox
// that is left out is refused for its own control before anything is handed over.
func TestASessionByBubblewrap(t *testing.T) {
	backend := celledBackend(t)
	if err := confine.DenyCores(); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here := backend.Root + "-here" // where the agent's user can come
	if err := os.Mkdir(here, 0o755); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(here)
	lowered := func(id string) error {
		return os.WriteFile(filepath.Join(confine.CgroupMount("pids"), "postern", id, "pids.max"), []byte("999"), 0)
	}
	for _, c := range []struct {
		name    string
		weaken  func(p *confine.Profile)
		do      func(id string) error
		outcome bridge.Outcome
		refused []confine.Control
	}{
		{name: "nothing", outcome: bridge.Completed},
		{name: "limit raised", do: lowered, outcome: bridge.ProfileChanged, refused: []confine.Control{confine.PidsLimit}},
		{name: "network", weaken: func(p *confine.Profile) { p.Network = "host" }, refused: []confine.Control{confine.NetworkNone}},
		{name: "processes", weaken: func(p *confine.Profile) { p.PID = "host" }, refused: []confine.Control{confine.PIDPrivate}},
		{name: "ipc", weaken: func(p *confine.Profile) { p.IPC = "host" }, refused: []confine.Control{confine.IPCPrivate}},
		{name: "cgroup", weaken: func(p *confine.Profile) { p.Cgroupns = "host" }, refused: []confine.Control{confine.CgroupPrivate}},
		{name: "names", weaken: func(p *confine.Profile) { p.UTS = "host" }, refused: []confine.Control{confine.UTSPrivate}},
		{name: "writable root", weaken: func(p *confine.Profile) { p.ReadonlyRoot = false }, refused: []confine.Control{confine.RootReadonly}},
		{name: "bind", weaken: func(p *confine.Profile) { p.Binds = []string{here + ":/mnt/shared"} }, refused: []confine.Control{confine.BindsNone}},
		{name: "memory filesystem", weaken: func(p *confine.Profile) { p.Tmpfs = map[string]string{"/mnt/memory": ""} }, refused: []confine.Control{confine.TmpfsNone}},
		{name: "capabilities", weaken: func(p *confine.Profile) { p.CapDrop = nil }, refused: []confine.Control{confine.CapabilitiesDropped}},
		{name: "a capability", weaken: func(p *confine.Profile) { p.CapAdd = []string{"NET_RAW"} }, refused: []confine.Control{confine.CapabilitiesDropped}},
		{name: "root", weaken: func(p *confine.Profile) { p.User = "" }, refused: []confine.Control{confine.UserNonroot}},
		{name: "group", weaken: func(p *confine.Profile) { p.Groups = []string{"4"} }, refused: []confine.Control{confine.GroupsNone}},
		{name: "pids", weaken: func(p *confine.Profile) { p.Pids = 0 }, refused: []confine.Control{confine.PidsLimit}},
		{name: "memory", weaken: func(p *confine.Profile) { p.Memory = 0 }, refused: []confine.Control{confine.MemoryLimit}},
		{name: "masks", weaken: func(p *confine.Profile) { p.MaskedPaths = false }, refused: []confine.Control{confine.PathsMasked}},
		{name: "settings", weaken: func(p *confine.Profile) { p.ReadonlyPaths = false }, refused: []confine.Control{confine.PathsReadonly}},
		{name: "another directory", weaken: func(p *confine.Profile) { p.WorkDir = "/dev" }, refused: []confine.Control{confine.WorkDirRoot}},
		{name: "first to die", weaken: func(p *confine.Profile) { p.OOMScore = 1 }, refused: []confine.Control{confine.OOMScoreZero}},
		{name: "variable", weaken: func(p *confine.Profile) { p.Env = []string{"A=b"} }, refused: []confine.Control{confine.EnvNone}},
		{name: "filter", weaken: func(p *confine.Profile) { p.Seccomp = "unconfined" }, refused: []confine.Control{confine.SeccompDefault}},
	} {
		t.Run(c.name, func(t *testing.T) {
			subject := config(t, newSink(t))
			subject.Profile = confine.Reference()
			subject.Profile.User = "1500123:1500123"
			if c.weaken != nil {
				c.weaken(&subject.Profile)
				c.outcome = bridge.AdmissionRefused
			}
			s := Session{Config: subject, Backend: backend, Initial: []byte(`{}`), Watchdog: []string{self, WatchdogCommand}}
			var handed bool
			s.Armed = func(l *watchdog.Lease) {
				if handed = true; !l.Pidfd {
					t.Error("the watchdog has no hold on the first process")
				}
			}
			s.Started = func(_ context.Context, id string, _ int) error {
				if c.do == nil {
					return nil
				}
				return c.do(id)
			}
			result, err := s.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var refused []confine.Control
			for _, r := range result.Refusals {
				refused = append(refused, r.Control)
			}
			if slices.Sort(refused); result.Outcome != c.outcome || !slices.Equal(slices.Compact(refused), c.refused) {
				t.Errorf("ended as %s, refused %v; want %s, %v", result.Outcome, result.Refusals, c.outcome, c.refused)
			}
			if handed != (c.weaken == nil) {
				t.Errorf("came as far as the watchdog: %v", handed)
			}
			left(t, result.Container)
		})
	}
}

// left looks for what a cell must not leave behind.
func left(t *testing.T, id string) {
	t.Helper()
	for _, controller := range []string{"pids", "memory", ""} {
		if at := confine.CgroupMount(controller); at != "" {
			if _, err := os.Stat(filepath.Join(at, "postern", id)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a cgroup is left: %v", err)
			}
		}
	}
}

// What bubblewrap has no means for is refused, and nothing is made.
func TestBubblewrapRefusesWhatItCannotDo(t *testing.T) {
	subject := config(t, newSink(t))
	subject.Profile = confine.Reference()
	subject.Profile.NoNewPrivileges = false
	result, err := Session{Config: subject, Backend: celledBackend(t), Initial: []byte(`{}`), Watchdog: []string{"/nowhere"}}.Run(t.Context())
	if err != nil || result.Outcome != bridge.EngineRefused || result.Container != "" {
		t.Errorf("ended as %s, %v", result.Outcome, err)
	}
}

// A cell that is killed counts as any that is, and leaves nothing.
func TestACellIsKilled(t *testing.T) {
	backend := celledBackend(t)
	subject := Config{Profile: confine.Reference()}
	subject.Profile.User = "1500124:1500124"
	subject.Profile.PID = "host" // the first process's end is not that of all
	box, err := backend.Create(t.Context(), subject, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	pid, _, err := box.AdmitStarted(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if code, err := box.Wait(t.Context()); err != nil || code != 128+int(unix.SIGKILL) {
		t.Errorf("exit code %d, %v", code, err)
	}
	// One that has ended and that nobody asked about yet has no command line.
	if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && len(line) > 0 {
		t.Error("the first process is still there")
	}
	if err := box.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	left(t, box.ID())
}
