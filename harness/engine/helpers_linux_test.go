package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"
	"github.com/docker/docker/pkg/stdcopy"
	"golang.org/x/sys/unix"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

// started is an Engine that is closed, and looked for, after the test.
func started(t testing.TB, o Options) *Private {
	t.Helper()
	dir := place(t)
	e, err := o.Start(t.Context(), dir)
	if unable := (*NotApplicable)(nil); errors.As(err, &unable) && !strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
		t.Skip(unable.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		nothingLeft(t, dir)
	})
	return e
}

// place is a short path that does not exist yet.
func place(t testing.TB) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "postern-engine-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(parent); err != nil {
			t.Errorf("something is left: %v", err)
		}
	})
	return filepath.Join(parent, "e")
}

// nothingLeft looks for what names dir, in ways that Close does not use.
func nothingLeft(t testing.TB, dir string) {
	t.Helper()
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the directory is left")
	}
	if n := len(commands(t, dir)); n > 0 {
		t.Errorf("%d processes are left", n)
	}
	table, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(table), dir) {
		t.Error("a mount is left")
	}
}

// commands are the command lines, by pid, of processes that name dir.
func commands(t testing.TB, dir string) map[string]string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, path := range all {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), dir) {
			found[filepath.Base(filepath.Dir(path))] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	return found
}

func apiOf(t testing.TB, socket string) *client.Client {
	t.Helper()
	api, err := client.NewClientWithOpts(client.WithHost("unix://"+socket), client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { api.Close() })
	return api
}

// agentImage builds the agent and puts it into an Engine.
func agentImage(t testing.TB, api *client.Client) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "agent")
	if err := fixtures.BuildAgent(t.Context(), program); err != nil {
		t.Fatal(err)
	}
	id, err := fixtures.BuildImage(t.Context(), api, program)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// agent is a container, and a pidfd on its first process.
type agent struct {
	t   testing.TB
	api *client.Client
	id  string
	pid int
	fd  int
}

// awaits never gets a plan: it reads its stdin, and ends with it.
const awaits plan.Mode = "awaits-plan"

func running(t testing.TB, api *client.Client, image string, mode plan.Mode) *agent {
	t.Helper()
	second := 1
	made, err := api.ContainerCreate(t.Context(),
		&container.Config{Image: image, Labels: map[string]string{fixtures.Label: "1"}, OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true, StopTimeout: &second},
		&container.HostConfig{NetworkMode: "none", LogConfig: container.LogConfig{Type: "none"}}, nil, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	streams, err := api.ContainerAttach(t.Context(), made.ID, container.AttachOptions{Stream: true, Stdin: true, Stdout: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(streams.Close)
	if err := api.ContainerStart(t.Context(), made.ID, container.StartOptions{}); err != nil {
		t.Fatal(err)
	}
	a := &agent{t: t, api: api, id: made.ID}
	state := a.state()
	a.pid = state.Pid
	if a.fd, err = unix.PidfdOpen(a.pid, 0); err != nil {
		t.Fatalf("opening the container's first process: %v", err)
	}
	t.Cleanup(func() { unix.Close(a.fd) })
	if mode != awaits {
		act(t, streams.Conn, streams.Reader, mode)
	}
	return a
}

// act leads the agent to where its mode begins.
func act(t testing.TB, in io.Writer, raw io.Reader, mode plan.Mode) {
	t.Helper()
	piped, out := io.Pipe()
	go func() {
		_, err := stdcopy.StdCopy(out, io.Discard, raw)
		out.CloseWithError(err)
	}()
	lines := bufio.NewReader(piped)
	frame, err := json.Marshal(plan.Plan{Mode: mode, Probes: []plan.Probe{{Channel: channel.ToolPermitted, Canary: strings.Repeat("0", 32)}}})
	if err != nil {
		t.Fatal(err)
	}
	calls := map[plan.Mode]int{plan.ModeStall: 1, plan.ModeLinger: 2}[mode] // report; and the permitted tool
	for i := range calls + 1 {
		if i > 0 {
			if _, err := lines.ReadString('\n'); err != nil {
				t.Fatalf("reading call %d of the agent: %v", i, err)
			}
			frame = []byte(`{"status":"ok","result":{}}`)
		}
		if _, err := in.Write(append(frame, '\n')); err != nil {
			t.Fatalf("writing to the agent: %v", err)
		}
	}
}

func (a *agent) state() *container.State {
	a.t.Helper()
	c, err := a.api.ContainerInspect(a.t.Context(), a.id)
	if err != nil {
		a.t.Fatal(err)
	}
	return c.State
}

// diesWithin watches from outside the Engine.
func (a *agent) diesWithin(limit time.Duration) bool {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.t.Context()), limit)
	defer cancel()
	err := awaitEnd(ctx, a.fd)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		a.t.Fatal(err)
	}
	return err == nil
}

// remove kills it through the Engine.
func (a *agent) remove() {
	a.t.Helper()
	if err := a.api.ContainerRemove(context.WithoutCancel(a.t.Context()), a.id, container.RemoveOptions{Force: true}); err != nil {
		a.t.Fatal(err)
	}
	if !a.diesWithin(5 * time.Second) {
		a.t.Error("the container outlives its removal")
	}
}

// awaitExit is the Engine's account once it knows of the end.
func (a *agent) awaitExit() *container.State {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 20*time.Second)
	defer cancel()
	exited, failed := a.api.ContainerWait(ctx, a.id, container.WaitConditionNotRunning)
	select {
	case <-exited:
	case err := <-failed:
		a.t.Fatal(err)
	}
	return a.state()
}

// containerdLives counts one that died a moment ago as dead.
func containerdLives(t *testing.T, e *Private) bool {
	t.Helper()
	for _, line := range commands(t, string(e.home)) {
		if strings.HasPrefix(filepath.Base(strings.Fields(line)[0]), "containerd") && !strings.Contains(line, "shim") {
			return true
		}
	}
	return false
}
