package watchdog

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"postern/gateway/confine"
	"postern/gateway/confine/docker"

	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/client"
)

const engineSocket = "/var/run/docker.sock"

// ward is a real Engine and an image whose container never ends by itself.
type ward struct {
	engine *docker.Engine
	image  string
}

// realWard skips where no Engine answers, and fails where one is required.
func realWard(t testing.TB) ward {
	t.Helper()
	conn, err := net.DialTimeout("unix", engineSocket, time.Second)
	if err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
			t.Fatalf("an Engine is required: %v", err)
		}
		t.Skipf("no Engine: %v", err)
	}
	conn.Close()
	e, err := docker.Connect(t.Context(), engineSocket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return ward{e, stayer(t)}
}

// stayer makes an image of one static binary, by an import that needs no
// Dockerfile and leaves no layers behind.
func stayer(t testing.TB) (id string) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "stayer")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "./testdata/stayer")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the image's program: %v\n%s", err, out)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	err = w.WriteHeader(&tar.Header{Name: "agent", Mode: 0o555, Size: int64(len(content))})
	_, writeErr := w.Write(content)
	if err := errors.Join(err, writeErr, w.Close()); err != nil {
		t.Fatal(err)
	}
	api, err := client.NewClientWithOpts(client.WithHost("unix://"+engineSocket), client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { api.Close() })
	progress, err := api.ImageImport(t.Context(), image.ImportSource{Source: &layer, SourceName: "-"}, "",
		image.ImportOptions{Changes: []string{`ENTRYPOINT ["/agent"]`, "LABEL postern=1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer progress.Close()
	var last struct{ Status string }
	for dec := json.NewDecoder(progress); ; {
		if err := dec.Decode(&last); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	id = strings.TrimSpace(last.Status)
	t.Cleanup(func() {
		if _, err := api.ImageRemove(context.WithoutCancel(t.Context()), id, image.RemoveOptions{Force: true}); err != nil {
			t.Errorf("removing the image: %v", err)
		}
	})
	return id
}

// admit starts a container that is removed afterwards.
func (w ward) admit(t testing.TB) scene {
	t.Helper()
	id, err := w.engine.Create(t.Context(), w.image, confine.Reference(), map[string]string{"postern": "1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
		defer cancel()
		if err := w.engine.Remove(ctx, id); err != nil {
			t.Errorf("removing a container: %v", err)
		}
	})
	if err := w.engine.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	state, err := w.engine.State(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return scene{socket: engineSocket, container: id, pid: state.PID, pidfd: pidfdOf(t, state.PID)}
}

func TestAFaultEndsARealContainer(t *testing.T) {
	w := realWard(t)
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			s := w.admit(t)
			suffer(t, s, f)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if _, err := w.engine.Wait(ctx, s.container); err != nil {
				t.Errorf("the Engine does not say that it has stopped: %v", err)
			}
		})
	}
}

// Where the host permits no pidfd, the Engine does it, and slower.
func TestTheEngineAloneEndsARealContainer(t *testing.T) {
	w := realWard(t)
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			s := w.admit(t)
			o := s.options()
			o.Weak.NoPidfd = true
			b := startBridge(t, task{Options: o})
			if b.pidfd {
				t.Error("a pidfd is claimed")
			}
			f.do(b)
			if !gone(t, s.pidfd, patience) {
				t.Error("the container outlives the fault")
			}
		})
	}
}

// proxy stands in front of the Engine and refuses so many kills first.
func proxy(t testing.TB, refuse int32) (socket string, kills *atomic.Int32) {
	t.Helper()
	kills = new(atomic.Int32)
	behind := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: "engine"})
	behind.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", engineSocket)
	}}
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/kill") && kills.Add(1) <= refuse {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		behind.ServeHTTP(w, r)
	})), kills
}

func TestARealStopIsTriedAgain(t *testing.T) {
	w := realWard(t)
	for _, c := range []struct {
		name string
		weak Weakness
		dies bool
	}{
		{"three tries", Weakness{NoPidfd: true}, true},
		{"one try", Weakness{NoPidfd: true, SingleTry: true}, false},
		{"one try and a pidfd", Weakness{SingleTry: true}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := w.admit(t)
			socket, kills := proxy(t, 2)
			o := s.options()
			o.Socket, o.Weak = socket, c.weak
			b := startBridge(t, task{Options: o})
			kill(b.pid, 9)
			if !gone(t, b.dogfd, patience) {
				t.Fatal("the watchdog does not exit")
			}
			tries := int32(3)
			if c.weak.SingleTry {
				tries = 1
			}
			if dead := gone(t, s.pidfd, 0); dead != c.dies || kills.Load() != tries {
				t.Errorf("dead: %v after %d tries", dead, kills.Load())
			}
		})
	}
}

// A frozen process dies of SIGKILL only once it is thawed, which is the
// Engine's to do: a reason to ask it either way.
func TestAPausedRealContainerDiesToo(t *testing.T) {
	w := realWard(t)
	s := w.admit(t)
	b := startBridge(t, task{Options: s.options()})
	if status, _, err := newEngine(engineSocket, s.container).call(t.Context(), http.MethodPost, "/pause"); err != nil || status != http.StatusNoContent {
		t.Fatalf("pausing: status %d, %v", status, err)
	}
	kill(b.pid, 9)
	if !gone(t, s.pidfd, patience) {
		t.Error("the container outlives its bridge")
	}
}

// A container that was stopped and disarmed for is not struck afterwards.
func TestARealLeaseEndsCleanly(t *testing.T) {
	w := realWard(t)
	s := w.admit(t)
	l, err := Arm(t.Context(), s.options())
	if err != nil {
		t.Fatal(err)
	}
	if !l.Pidfd {
		t.Error("no pidfd is held")
	}
	if err := l.Disarm(t.Context()); err != nil {
		t.Error(err)
	}
	if gone(t, s.pidfd, 0) {
		t.Error("the container was killed")
	}
	if err := l.Strike(); !errors.Is(err, errNoPidfd) {
		t.Errorf("striking after the end: %v", err)
	}
	l, err = Arm(t.Context(), s.options())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Strike(); err != nil || !gone(t, s.pidfd, patience) {
		t.Errorf("striking: %v", err)
	}
	if err := l.Disarm(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := Arm(t.Context(), s.options()); err == nil {
		t.Error("a dead container can be watched")
	}
}
