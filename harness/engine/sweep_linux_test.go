package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"postern/fixtures/plan"
	"postern/harness/host"
)

// The other processes of these tests are this program, told by this variable
// what to be.
const role = "POSTERN_ENGINE_TEST_ROLE"

func init() {
	if os.Getenv(role) == "main thread" {
		runtime.LockOSThread()
	}
}

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "main thread":
		mainThread()
	case "harness":
		killedHarness()
	}
}

// mainThread asks for a keeper where it must not be.
func mainThread() {
	before, _ := os.Readlink("/proc/self/ns/net")
	k, ready, thread := &keeper{make(chan func())}, make(chan error, 1), make(chan string)
	k.run(ready)
	err := <-ready
	k.jobs <- func() {
		own, _ := os.Readlink("/proc/thread-self/ns/net")
		thread <- own
	}
	own := <-thread
	after, _ := os.Readlink("/proc/self/ns/net")
	fmt.Println(err == nil, before != "" && before == after, own != before)
}

// killedHarness starts an Engine in its working directory, says so, and waits
// for its end.
func killedHarness() {
	e, err := Options{Separate: os.Getenv("SEPARATE") == "true"}.Start(context.Background(), "e")
	if err != nil {
		fmt.Println("0", err)
		return
	}
	fmt.Println(e.PID())
	io.Copy(io.Discard, os.Stdin)
}

func TestKeeperLeavesTheMainThread(t *testing.T) {
	started(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), role+"=main thread")
	out, err := cmd.Output()
	if got := strings.TrimSpace(string(out)); err != nil || got != "true true true" {
		t.Errorf("started, this process's namespace kept, another one made: %q, %v", got, err)
	}
}

// What kill -9 of the harness leaves goes with one sweep, and nothing before.
func TestSweepAfterAKilledHarness(t *testing.T) {
	started(t, Options{}) // skips or fails where it cannot be
	for _, separate := range []bool{false, true} {
		for _, paused := range []bool{false, true} {
			t.Run(fmt.Sprintf("separate=%v,paused=%v", separate, paused), func(t *testing.T) {
				sweeps(t, separate, paused)
			})
		}
	}
}

func sweeps(t *testing.T, separate, paused bool) {
	dir := place(t)
	cmd := exec.Command(os.Args[0])
	cmd.Dir = filepath.Dir(dir)
	cmd.Env = append(os.Environ(), role+"=harness", "SEPARATE="+strconv.FormatBool(separate))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reaped := false
	reap := func() {
		if !reaped {
			reaped = true
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	defer func() {
		reap()
		if err := Sweep(context.WithoutCancel(t.Context()), dir); err != nil {
			t.Error(err)
		}
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || pid == 0 {
		t.Fatalf("the harness says %q, %v", line, err)
	}
	e := &Private{home: home(dir)} // seen from here
	api := apiOf(t, e.Socket())
	a := running(t, api, agentImage(t, api), plan.ModeLinger)
	left := traces(t, e, a)
	if paused {
		if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	if err := Sweep(t.Context(), dir); !errors.Is(err, ErrInUse) || a.diesWithin(0) {
		t.Fatalf("a sweep while the harness lives: %v", err)
	}
	dockerd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(dockerd)
	reap()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := awaitEnd(ctx, dockerd); err != nil {
		t.Errorf("dockerd outlives its harness: %v", err)
	}
	waitFor(t, "containerd outlives the harness", func() bool { return !containerdLives(t, e) })
	// No parent's death reaches a shim, which is why there is Sweep.
	if a.diesWithin(stays) {
		t.Error("the container went without a sweep: the documentation is wrong")
	}
	began := time.Now()
	if err := Sweep(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	t.Logf("swept in %d ms", time.Since(began).Milliseconds())
	if !a.diesWithin(0) {
		t.Error("the container is left")
	}
	gone(t, left)
	nothingLeft(t, dir)
}

func waitFor(t *testing.T, otherwise string, good func() bool) {
	t.Helper()
	for limit := time.Now().Add(10 * time.Second); !good(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal(otherwise)
		}
	}
}

func TestSweepTouchesNothingElse(t *testing.T) {
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	gone := self
	gone.Start++
	for name, c := range map[string]struct {
		files map[string]string
		swept bool
		err   bool
	}{
		"empty":            {swept: true},
		"no Engine's":      {files: map[string]string{"precious": "1"}, err: true},
		"a live owner's":   {files: map[string]string{"owner": self.String(), "precious": "1"}, err: true},
		"a broken owner's": {files: map[string]string{"owner": "1", "precious": "1"}, err: true},
		"a gone owner's":   {files: map[string]string{"owner": gone.String(), "log": "1"}, swept: true},
	} {
		dir := filepath.Join(t.TempDir(), "e")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for file, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := Sweep(t.Context(), dir); (err != nil) != c.err {
			t.Errorf("%s: %v", name, err)
		}
		entries, err := os.ReadDir(dir)
		if swept := err != nil; swept != c.swept || !swept && len(entries) != len(c.files) {
			t.Errorf("%s: swept %v, %d files are left", name, swept, len(entries))
		}
		if err := Sweep(t.Context(), filepath.Join(dir, "absent")); err != nil {
			t.Errorf("none: %v", err)
		}
	}
}
