package engine

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"

	"postern/fixtures"
	"postern/fixtures/plan"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
)

func TestLife(t *testing.T) {
	host := link(t, "/proc/self/ns/net")
	e := started(t, Options{})
	first, own := e.PID(), link(t, netOf(e))
	if own == host || link(t, "/proc/self/ns/net") != host {
		t.Errorf("the Engine has network namespace %s, this process had %s", own, host)
	}
	if !answers(t, e) {
		t.Error("started, and does not answer")
	}
	if err := e.Pause(); err != nil {
		t.Fatal(err)
	}
	if answers(t, e) {
		t.Error("paused, and answers")
	}
	if err := e.Resume(); err != nil {
		t.Fatal(err)
	}
	if !answers(t, e) || e.PID() != first {
		t.Error("resumed, and does not answer")
	}
	for name, end := range map[string]func() error{
		"stop": func() error { return e.Stop(t.Context()) },
		"kill": e.Kill,
		"kill when paused": func() error {
			return errors.Join(e.Pause(), e.Kill())
		},
		"nothing": func() error { return nil }, // Restart alone
	} {
		before := e.PID()
		if err := end(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name != "nothing" && (answers(t, e) || e.PID() != 0) {
			t.Errorf("%s: it answers, or has a pid", name)
		}
		if err := e.Restart(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !answers(t, e) || e.PID() == before || link(t, netOf(e)) != own {
			t.Errorf("%s: restarted, it does not answer, is the same or has another network", name)
		}
	}
}

// Whatever runs or stands still, Close ends it; twice is once.
func TestCloseEndsEverything(t *testing.T) {
	all := map[string]Options{"default": {}, "separate": {Separate: true}, "vfs": {LiveRestore: true, Storage: "vfs"}}
	if _, err := exec.LookPath("fuse-overlayfs"); err == nil { // it has processes of its own
		all["fuse-overlayfs"] = Options{Storage: "fuse-overlayfs"}
	}
	for name, o := range all {
		t.Run(name, func(t *testing.T) {
			e := started(t, o)
			api := apiOf(t, e.Socket())
			image := agentImage(t, api)
			var left []string
			var all []*agent
			for _, mode := range []plan.Mode{awaits, plan.ModeLinger, plan.ModeStall} {
				a := running(t, api, image, mode)
				all, left = append(all, a), append(left, traces(t, e, a)...)
			}
			if err := api.ContainerPause(t.Context(), all[1].id); err != nil {
				t.Fatal(err)
			}
			if _, err := api.ContainerCreate(t.Context(), &container.Config{Image: image}, nil, nil, nil, ""); err != nil {
				t.Fatal(err)
			}
			if err := e.Pause(); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := e.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for _, a := range all {
				if !a.diesWithin(0) {
					t.Error("a container is left")
				}
			}
			gone(t, left)
		})
	}
}

// traces are what a container has outside the Engine's directory.
func traces(t testing.TB, e *Private, a *agent) []string {
	t.Helper()
	groups, err := filepath.Glob("/sys/fs/cgroup/*/docker/" + a.id)
	if err != nil {
		t.Fatal(err)
	}
	unified, err := filepath.Glob("/sys/fs/cgroup/docker/" + a.id)
	if err != nil {
		t.Fatal(err)
	}
	all := append(append(groups, unified...), shimOf(t, filepath.Join(e.home.tasks(), a.id)))
	for _, path := range all {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("a trace that is looked for later does not exist: %v", err)
		}
	}
	if len(all) < 2 {
		t.Error("no cgroup was found")
	}
	return all
}

// shimOf is where containerd says that a shim listens, in a file of its own or,
// since 2.0, in one of JSON.
func shimOf(t testing.TB, task string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(task, "address"))
	if errors.Is(err, os.ErrNotExist) {
		text, err = os.ReadFile(filepath.Join(task, "bootstrap.json"))
	}
	_, path, ok := strings.Cut(string(text), "unix://")
	if err != nil || !ok {
		t.Fatalf("looking for the shim's socket: %v", err)
	}
	path, _, _ = strings.Cut(path, `"`)
	return path
}

func gone(t testing.TB, paths []string) {
	t.Helper()
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is left", path)
		}
	}
}

func TestConfinementAcceptsIt(t *testing.T) {
	if err := confine.DenyCores(); err != nil {
		t.Fatal(err)
	}
	e := started(t, Options{})
	image := agentImage(t, apiOf(t, e.Socket()))
	d, err := docker.Connect(t.Context(), e.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	facts, err := d.Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := confine.Preflight(facts); got != nil || !facts.PeerIsDockerd {
		t.Errorf("preflight refuses: %v", got)
	}
	want := confine.Reference()
	id, err := d.Create(t.Context(), image, want, map[string]string{fixtures.Label: "1"})
	if err != nil {
		t.Fatal(err)
	}
	attached, err := d.Attach(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer attached.Close()
	if err := d.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	account, err := d.Inspect(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	state, err := d.State(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	process, err := confine.ReadProcess(state.PID, id)
	if err != nil {
		t.Fatal(err)
	}
	if got := confine.Merge(docker.Admit(want, image, account), confine.AdmitProcess(want, process)); len(got) > 0 {
		t.Errorf("admission refuses: %v", got)
	}
}

// The Engine that others use keeps its bridge, its dockerd and its containers.
func TestTheFirstEngineIsLeftAlone(t *testing.T) {
	const socket = "/var/run/docker.sock"
	e := started(t, Options{})
	api := apiOf(t, socket)
	if _, err := api.Ping(t.Context()); client.IsErrConnectionFailed(err) && !strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
		t.Skip("no first Engine answers on " + socket)
	} else if err != nil {
		t.Fatal(err)
	}
	a := running(t, api, agentImage(t, api), plan.ModeLinger)
	t.Cleanup(a.remove)
	before := bridge(t)
	for _, step := range []func() error{
		func() error { return e.Restart(t.Context()) },
		e.Kill,
		func() error { return e.Restart(t.Context()) },
		func() error { return e.Close(t.Context()) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		if after := bridge(t); after != before {
			t.Errorf("docker0 was %s and is %s", before, after)
		}
		if state := a.state(); !state.Running || state.Pid != a.pid {
			t.Error("a container of the first Engine is gone")
		}
	}
}

func bridge(t *testing.T) string {
	t.Helper()
	i, err := net.InterfaceByName("docker0")
	if err != nil {
		t.Fatal(err)
	}
	addresses, err := i.Addrs()
	if err != nil || len(addresses) == 0 {
		t.Fatalf("docker0 has no address: %v", err)
	}
	return strings.Join([]string{i.HardwareAddr.String(), (i.Flags & net.FlagUp).String(), addresses[0].String(), strconv.Itoa(i.Index)}, " ")
}

func TestStartThatFailsLeavesNothing(t *testing.T) {
	started(t, Options{}) // or none of the failures would be what it seems
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		o    Options
		deep int
	}{
		"dockerd ends at once": {ctx: t.Context(), o: Options{Storage: "none-such"}},
		"canceled":             {ctx: canceled},
		"canceled, separate":   {ctx: canceled, o: Options{Separate: true}},
		"a path too long":      {ctx: t.Context(), deep: homeLimit},
	} {
		dir := place(t) + strings.Repeat("e", c.deep)
		e, err := c.o.Start(c.ctx, dir)
		if unable := (*NotApplicable)(nil); err == nil || errors.As(err, &unable) || e != nil {
			t.Errorf("%s: error %v", name, err)
		}
		nothingLeft(t, dir)
	}
}

func TestStartTakesNoOthersDirectory(t *testing.T) {
	e := started(t, Options{})
	if _, err := Start(t.Context(), filepath.Dir(e.Socket())); err == nil || !answers(t, e) {
		t.Errorf("a second Engine in the directory of one: %v", err)
	}
}

func TestNotApplicable(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := place(t)
	_, err := Start(t.Context(), dir)
	if unable := (*NotApplicable)(nil); !errors.As(err, &unable) || unable.Reason == "" {
		t.Errorf("without dockerd: %v", err)
	}
	nothingLeft(t, dir)
}

func link(t *testing.T, path string) string {
	t.Helper()
	target, err := os.Readlink(path)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func netOf(e *Private) string { return "/proc/" + strconv.Itoa(e.PID()) + "/ns/net" }
