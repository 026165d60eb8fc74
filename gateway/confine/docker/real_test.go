package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"postern/gateway/confine"

	"github.com/docker/docker/api/types/image"
)

const socket = "/var/run/docker.sock"

func labelled() map[string]string { return map[string]string{"postern": "1"} }

// realEngine skips where no Engine answers, and fails where one is required.
func realEngine(t testing.TB) *Engine {
	t.Helper()
	conn, err := net.DialTimeout("unix", socket, time.Second)
	if err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
			t.Fatalf("an Engine is required: %v", err)
		}
		t.Skipf("no Engine: %v", err)
	}
	conn.Close()
	e, err := Connect(t.Context(), socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// blocker makes an image of one static binary, by an import that needs no
// Dockerfile and leaves no layers behind. Changes are Dockerfile lines.
func blocker(t testing.TB, e *Engine, changes ...string) string {
	t.Helper()
	return imported(t, e, "blocker", changes...)
}

// imported is blocker for any program of testdata.
func imported(t testing.TB, e *Engine, program string, changes ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), program)
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "./testdata/"+program)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	if err := errors.Join(
		w.WriteHeader(&tar.Header{Name: "agent", Mode: 0o555, Size: int64(len(content))}),
		write(w, content), w.Close(),
	); err != nil {
		t.Fatal(err)
	}
	changes = append([]string{`ENTRYPOINT ["/agent"]`, "LABEL postern=1"}, changes...)
	stream, err := e.api.ImageImport(t.Context(), image.ImportSource{Source: &layer, SourceName: "-"}, "", image.ImportOptions{Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var last struct{ Status string }
	for dec := json.NewDecoder(stream); ; {
		if err := dec.Decode(&last); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	id := strings.TrimSpace(last.Status)
	if !imageID(id) {
		t.Fatalf("the import gave no image id")
	}
	t.Cleanup(func() {
		if _, err := e.api.ImageRemove(context.WithoutCancel(t.Context()), id, image.RemoveOptions{Force: true}); err != nil {
			t.Errorf("removing the image: %v", err)
		}
	})
	return id
}

func write(w io.Writer, b []byte) error { _, err := w.Write(b); return err }

// created makes a container that is removed with its volumes afterwards.
func created(t testing.TB, e *Engine, img string, p confine.Profile) string {
	t.Helper()
	id, err := e.Create(t.Context(), img, p, labelled())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removed(t, e, id) })
	return id
}

func removed(t testing.TB, e *Engine, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Second)
	defer cancel()
	if err := e.Remove(ctx, id); err != nil {
		t.Errorf("removing a container: %v", err)
	}
}

// inspected is the raw account.
func inspected(t testing.TB, e *Engine, id string) []byte {
	t.Helper()
	raw, err := e.Inspect(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// processed is what /proc says of a running container.
func processed(t testing.TB, e *Engine, id string) confine.Process {
	t.Helper()
	state, err := e.State(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := confine.ReadProcess(state.PID, id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func controls(refusals []confine.Refusal) []confine.Control {
	var out []confine.Control
	for _, r := range refusals {
		out = append(out, r.Control)
	}
	return out
}
