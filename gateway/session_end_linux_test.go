package gateway

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/client"
)

const engineSocket = "/var/run/docker.sock"

// quiet makes the image of an agent that ends by itself.
func quiet(t *testing.T, api *client.Client) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "agent")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "./testdata/quiet")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the agent: %v\n%s", err, out)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	if err := w.WriteHeader(&tar.Header{Name: "agent", Mode: 0o555, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	w.Write(content)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	stream, err := api.ImageImport(t.Context(), image.ImportSource{Source: &layer, SourceName: "-"}, "",
		image.ImportOptions{Changes: []string{`ENTRYPOINT ["/agent"]`, "LABEL postern=1"}})
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
	t.Cleanup(func() {
		if _, err := api.ImageRemove(context.WithoutCancel(t.Context()), id, image.RemoveOptions{Force: true}); err != nil {
			t.Errorf("removing the image: %v", err)
		}
	})
	return id
}

// What is done to the container of a session after its admission is found at
// its end, for its own control, and the session does not count as completed.
func TestASessionComparesAgainAtItsEnd(t *testing.T) {
	if conn, err := net.DialTimeout("unix", engineSocket, time.Second); err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
			t.Fatalf("an Engine is required: %v", err)
		}
		t.Skipf("no Engine: %v", err)
	} else {
		conn.Close()
	}
	if err := confine.DenyCores(); err != nil {
		t.Fatal(err)
	}
	engine, err := docker.Connect(t.Context(), engineSocket)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	api, err := client.NewClientWithOpts(client.WithHost("unix://"+engineSocket), client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	img := quiet(t, api)
	update := func(u container.UpdateConfig) func(id string) error {
		return func(id string) error { _, err := api.ContainerUpdate(t.Context(), id, u); return err }
	}
	many := int64(300)
	for _, c := range []struct {
		name    string
		profile confine.Profile
		do      func(id string) error
		outcome bridge.Outcome
		refused []confine.Control
	}{
		{name: "nothing", profile: confine.Reference(), outcome: bridge.Completed},
		{name: "nothing, hardened", profile: confine.Hardened(), outcome: bridge.Completed},
		{name: "memory", profile: confine.Reference(), do: update(container.UpdateConfig{Resources: container.Resources{Memory: 256 << 20, MemorySwap: 256 << 20}}),
			outcome: bridge.ProfileChanged, refused: []confine.Control{confine.MemoryLimit, confine.Unchanged}},
		{name: "processes", profile: confine.Hardened(), do: update(container.UpdateConfig{Resources: container.Resources{PidsLimit: &many}}),
			outcome: bridge.ProfileChanged, refused: []confine.Control{confine.PidsLimit, confine.Unchanged}},
		{name: "restart policy", profile: confine.Reference(), do: update(container.UpdateConfig{RestartPolicy: container.RestartPolicy{Name: "on-failure"}}),
			outcome: bridge.ProfileChanged, refused: []confine.Control{confine.RestartNone, confine.Unchanged}},
		{name: "a process beside it", profile: confine.Reference(), do: func(id string) error {
			x, err := api.ContainerExecCreate(t.Context(), id, container.ExecOptions{Cmd: []string{"/agent"}})
			if err != nil {
				return err
			}
			return api.ContainerExecStart(t.Context(), x.ID, container.ExecStartOptions{Detach: true})
		}, outcome: bridge.ProfileChanged, refused: []confine.Control{confine.ExecNone}},
		{name: "paused and let go", profile: confine.Reference(), do: func(id string) error {
			if err := api.ContainerPause(t.Context(), id); err != nil {
				return err
			}
			return api.ContainerUnpause(t.Context(), id)
		}, outcome: bridge.ProfileChanged, refused: []confine.Control{confine.Unchanged}},
	} {
		t.Run(c.name, func(t *testing.T) {
			subject := config(t, newSink(t))
			subject.Image, subject.Profile = img, c.profile
			subject.Watch.Off = true
			var id string
			s := Session{Config: subject, Backend: Docker{Engine: engine}, Initial: []byte(`{}`), Labels: map[string]string{"postern": "1"}}
			s.Created = func(_ context.Context, made string) error { id = made; return nil }
			s.Admitted = func(*Gateway) {
				if c.do == nil {
					return
				}
				if err := c.do(id); err != nil {
					t.Errorf("changing the container: %v", err)
				}
			}
			result, err := s.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want := confine.Refuse(confine.StageEnded, c.refused)
			if result.Outcome != c.outcome || !slices.Equal(result.Refusals, want) {
				t.Errorf("outcome %s, refused for %v; want %s, %v", result.Outcome, result.Refusals, c.outcome, want)
			}
		})
	}
}
