package docker

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/gateway/confine"
)

// The environment decides nothing: a good socket is reached although every
// variable points elsewhere.
func TestConnectIgnoresTheEnvironment(t *testing.T) {
	for _, name := range []string{"DOCKER_HOST", "HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
		t.Setenv(name, "tcp://127.0.0.1:1")
	}
	t.Setenv("DOCKER_API_VERSION", "1.1")
	t.Setenv("DOCKER_TLS_VERIFY", "1")
	t.Setenv("DOCKER_CONTEXT", "elsewhere")
	e := realEngine(t)
	if _, err := e.Facts(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestConnectRefusesOtherSockets(t *testing.T) {
	for _, socket := range []string{
		"", "docker.sock", "tcp://127.0.0.1:2375", "ssh://host", "npipe:////./pipe/docker_engine",
		"unix:///var/run/docker.sock", "/tcp://x",
	} {
		if _, err := Connect(t.Context(), socket); err == nil || !strings.Contains(err.Error(), "local unix socket") {
			t.Errorf("%q: %v", socket, err)
		}
	}
	if _, err := Connect(t.Context(), filepath.Join(t.TempDir(), "none.sock")); err == nil || !strings.Contains(err.Error(), "is dockerd running") {
		t.Errorf("a socket that is not there: %v", err)
	}
}

// Another process than the Engine, here this test, is told by its name.
func TestConnectRefusesAForwarder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forwarded.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // nobody would answer
	defer cancel()
	if _, err := Connect(ctx, path); err == nil || !strings.Contains(err.Error(), "another process than dockerd") {
		t.Errorf("a forwarded socket: %v", err)
	}
}

// The facts of this machine. Its core limit is up to whoever runs the test.
func TestFacts(t *testing.T) {
	f, err := realEngine(t).Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.CoreSoft, f.CoreHard, f.KernelCorePattern = 0, 0, "core"
	if got := confine.Preflight(f); got != nil {
		t.Errorf("this Engine is refused: %v", got)
	}
}

func TestCreateSaysThatTheEngineRefused(t *testing.T) {
	e := realEngine(t)
	missing := "sha256:" + strings.Repeat("0", 64)
	if _, err := e.Create(t.Context(), missing, confine.Reference(), labelled()); !errors.Is(err, ErrRefused) {
		t.Errorf("an image that is not there: %v", err)
	}
	img := blocker(t, e)
	for name, weaken := range map[string]func(*confine.Profile){
		"no such capability": func(p *confine.Profile) { p.CapAdd = []string{"NONSENSE"} },
		"no such runtime":    func(p *confine.Profile) { p.Runtime = "nonsense" },
	} {
		p := confine.Reference()
		weaken(&p)
		if id, err := e.Create(t.Context(), img, p, labelled()); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
			removed(t, e, id)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Create(ctx, missing, confine.Reference(), nil); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("a call that never got through: %v", err)
	}
}

// What an image declares counts against the image and against the container.
func TestDeclaringImages(t *testing.T) {
	e := realEngine(t)
	for _, c := range []struct {
		change           string
		image, container []confine.Control
	}{
		{"VOLUME /v", []confine.Control{confine.VolumesNone}, []confine.Control{confine.VolumesNone}},
		{"EXPOSE 80", []confine.Control{confine.PortsNone}, []confine.Control{confine.PortsNone}},
		{"HEALTHCHECK CMD /agent", []confine.Control{confine.HealthcheckNone}, []confine.Control{confine.HealthcheckNone}},
		{"ONBUILD USER 1", []confine.Control{confine.ImageImmutable}, nil}, // acts on images built from it
		{"ENV A=b", []confine.Control{confine.EnvNone}, []confine.Control{confine.EnvNone}},
		{"USER 0", nil, nil},
	} {
		img := blocker(t, e, c.change)
		raw, err := e.InspectImage(t.Context(), img)
		if err != nil {
			t.Fatal(err)
		}
		if got := controls(AdmitImage(img, raw)); !slices.Equal(got, c.image) {
			t.Errorf("%s: the image is refused for %v, want %v", c.change, got, c.image)
		}
		id := created(t, e, img, confine.Reference())
		if got := controls(Admit(confine.Reference(), img, inspected(t, e, id))); !slices.Equal(got, c.container) {
			t.Errorf("%s: the container is refused for %v, want %v", c.change, got, c.container)
		}
	}
}
