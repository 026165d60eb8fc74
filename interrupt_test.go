package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"
)

// A stopped campaign leaves nothing: no container, no process, no bundle. A
// killed one leaves containers, and sweep takes exactly those.
func TestStoppedCampaigns(t *testing.T) {
	engine := engine(t)
	postern := filepath.Join(t.TempDir(), "postern")
	if out, err := exec.Command("go", "build", "-o", postern, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			run, out := start(t, engine, postern)
			if err := run.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if code := exitOf(t, run); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			if n := len(containersOf(t, engine, run.Process.Pid)); n != 0 {
				t.Errorf("%d containers are left", n)
			}
			nothingLeft(t, out)
		})
	}
	t.Run("killed", func(t *testing.T) {
		run, out := start(t, engine, postern)
		run.Process.Kill()
		exitOf(t, run)
		if len(containersOf(t, engine, run.Process.Pid)) == 0 {
			t.Fatal("a killed run left no container: this test shows nothing")
		}
		sweep := exec.Command(postern, "sweep")
		sweep.Env = run.Env // the same temporary directory
		if text, err := sweep.CombinedOutput(); err != nil {
			t.Fatalf("sweeping: %v\n%s", err, text)
		}
		if n := len(containersOf(t, engine, run.Process.Pid)); n != 0 {
			t.Errorf("%d containers are left after the sweep", n)
		}
		if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
			t.Error("a killed run left something where its bundle goes")
		}
		if left, err := filepath.Glob(filepath.Join(filepath.Dir(out), "postern-*")); err != nil || len(left) != 0 {
			t.Errorf("%d directories are left after the sweep: %v", len(left), err)
		}
	})
}

// compiling is how long a machine may take for the agent that it has never
// compiled before: half a minute on two idle cores.
const compiling = 5 * time.Minute

// start starts a campaign and waits until it has containers.
func start(t *testing.T, engine *client.Client, postern string) (*exec.Cmd, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bundle")
	run := exec.Command(postern, "run", "--out", out, "--only", "failure-mode")
	run.Env = append(os.Environ(), "TMPDIR="+filepath.Dir(out))
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { run.Process.Kill() })
	deadline := time.Now().Add(compiling)
	for len(containersOf(t, engine, run.Process.Pid)) == 0 {
		if time.Now().After(deadline) {
			t.Fatal("the campaign made no container")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return run, out
}

func exitOf(t *testing.T, run *exec.Cmd) int {
	t.Helper()
	err := run.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return run.ProcessState.ExitCode()
}

// nothingLeft looks for the bundle and its staging directory, for what the run
// kept in its temporary directory, and for tool servers that record there.
func nothingLeft(t *testing.T, out string) {
	t.Helper()
	dir := filepath.Dir(out)
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 0 {
		t.Errorf("%d entries are left where the run worked", len(left))
	}
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(environments) == 0 {
		t.Fatalf("looking at processes: %d, %v", len(environments), err)
	}
	for _, path := range environments {
		if env, err := os.ReadFile(path); err == nil && strings.Contains(string(env), "POSTERN_SINK="+dir) {
			t.Errorf("a tool server is left: %s", filepath.Dir(path))
		}
	}
}

func containersOf(t *testing.T, engine *client.Client, pid int) []container.Summary {
	t.Helper()
	all, err := engine.ContainerList(context.Background(), container.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", "postern.owner"))})
	if err != nil {
		t.Fatal(err)
	}
	var own []container.Summary
	for _, c := range all {
		if strings.HasPrefix(c.Labels["postern.owner"], strconv.Itoa(pid)+".") {
			own = append(own, c)
		}
	}
	return own
}

// engine reaches the local Engine, or skips where none is required.
func engine(t *testing.T) *client.Client {
	t.Helper()
	api, err := client.NewClientWithOpts(client.WithHost("unix:///var/run/docker.sock"), client.WithAPIVersionNegotiation())
	if err == nil {
		_, err = api.Ping(context.Background())
	}
	if err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
			t.Fatalf("no Docker Engine answers: %v", err)
		}
		t.Skip("no Docker Engine answers on /var/run/docker.sock")
	}
	t.Cleanup(func() { api.Close() })
	return api
}
