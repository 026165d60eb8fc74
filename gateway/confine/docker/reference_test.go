package docker

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/gateway/confine"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/pkg/stdcopy"
	"github.com/go-json-experiment/json/jsontext"
)

var record = flag.Bool("record", false, "write what this Engine answers to testdata, scrubbed")

// The strict profile passes every look, lives and dies as told, and leaves
// nothing behind.
func TestReference(t *testing.T) {
	e := realEngine(t)
	img := blocker(t, e)
	image, err := e.InspectImage(t.Context(), img)
	if err != nil {
		t.Fatal(err)
	}
	if got := AdmitImage(img, image); got != nil {
		t.Errorf("the image is refused: %v", got)
	}
	want := confine.Reference()
	clock := stopwatch{t: t, last: time.Now()}
	id := created(t, e, img, want)
	clock.lap("create")
	before := inspected(t, e, id)
	clock.lap("inspect")
	refusals := Admit(want, img, before)
	clock.lap("admit")
	if refusals != nil {
		t.Errorf("the created container is refused: %v", refusals)
	}
	attached, err := e.Attach(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer attached.Close()
	clock.lap("attach")
	if err := e.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	clock.lap("start")
	after := inspected(t, e, id)
	if got := Admit(want, img, after); got != nil {
		t.Errorf("the running container is refused: %v", got)
	}
	clock.lap("inspect and admit again")
	process := processed(t, e, id)
	if got := confine.AdmitProcess(want, process); got != nil {
		t.Errorf("the process is refused: %v", got)
	}
	clock.lap("look at the process")
	echoes(t, attached)
	clock.lap("echo and end of input")
	if code, err := e.Wait(t.Context(), id); err != nil || code != 0 {
		t.Errorf("the container ended with %d, %v; want 0 at the end of its input", code, err)
	}
	if got := Admit(want, img, inspected(t, e, id)); !slices.Contains(controls(got), confine.Unrecognised) {
		t.Errorf("a container that has ended is admitted: %v", got)
	}
	if *record {
		save(t, "created.json", before)
		save(t, "started.json", after)
		save(t, "image.json", image)
	}
}

// echoes sends a line, ends the input, and wants that line and the end.
func echoes(t *testing.T, a confine.Attached) {
	t.Helper()
	defer time.AfterFunc(30*time.Second, func() { a.Close() }).Stop() // or it would wait for ever
	if _, err := io.WriteString(a.Stdin, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if err := a.Stdin.Close(); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if _, err := stdcopy.StdCopy(&stdout, &stderr, a.Output); err != nil {
		t.Fatal(err)
	}
	if stdout.String() != "hello\n" || stderr.Len() != 0 {
		t.Errorf("%d bytes of output and %d of errors came back, want the line that was sent", stdout.Len(), stderr.Len())
	}
}

func TestKillAndRemove(t *testing.T) {
	e := realEngine(t)
	id := created(t, e, blocker(t, e), confine.Reference())
	if err := e.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second finds it dead
		if err := e.Kill(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if code, err := e.Wait(t.Context(), id); err != nil || code != 137 {
			t.Errorf("a killed container ended with %d, %v; want 137", code, err)
		}
	}
	if s, err := e.State(t.Context(), id); err != nil || s.Running || s.PID != 0 || s.Status != "exited" {
		t.Errorf("a killed container is in state %+v, %v", s, err)
	}
	for range 2 { // the second finds it gone
		if err := e.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.State(t.Context(), id); err == nil {
		t.Error("a removed container has a state")
	}
	if err := e.Kill(t.Context(), id); err != nil {
		t.Errorf("a removed container cannot be killed: %v", err)
	}
	if running, err := e.Running(t.Context(), id); running || err != nil {
		t.Errorf("a removed container runs: %v, %v", running, err)
	}
	if code, err := e.Wait(t.Context(), id); code != -1 || err != nil {
		t.Errorf("a removed container ended with %d, %v; want -1", code, err)
	}
}

func TestRemoveTakesAnonymousVolumes(t *testing.T) {
	e := realEngine(t)
	p := confine.Reference()
	p.Volumes = []string{"/v"}
	id := created(t, e, blocker(t, e), p)
	c, err := e.api.ContainerInspect(t.Context(), id)
	if err != nil || len(c.Mounts) != 1 {
		t.Fatalf("%d mounts, %v; want one volume", len(c.Mounts), err)
	}
	if err := e.Remove(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := e.api.VolumeInspect(t.Context(), c.Mounts[0].Name); err == nil {
		t.Error("the volume outlives its container")
		if err := e.api.VolumeRemove(t.Context(), c.Mounts[0].Name, true); err != nil {
			t.Error(err)
		}
	}
}

// One that restarts or that the Engine removes is as well dealt with as any.
func TestKillAndRemoveBesideTheEngine(t *testing.T) {
	e := realEngine(t)
	img := blocker(t, e)
	for name, weaken := range map[string]func(*confine.Profile){
		"restarted":   func(p *confine.Profile) { p.Restart = "always" },
		"autoremoved": func(p *confine.Profile) { p.AutoRemove = true },
	} {
		p := confine.Reference()
		weaken(&p)
		id := created(t, e, img, p)
		if err := e.Start(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if running, err := e.Running(t.Context(), id); !running || err != nil {
			t.Errorf("%s: it does not run: %v", name, err)
		}
		if err := e.Kill(t.Context(), id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := e.Wait(t.Context(), id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if running, err := e.Running(t.Context(), id); running || err != nil {
			t.Errorf("%s: it was killed and runs: %v", name, err)
		}
		if err := e.Remove(t.Context(), id); err != nil { // the Engine may be about it
			t.Errorf("%s: %v", name, err)
		}
		if _, err := e.api.ContainerInspect(t.Context(), id); !cerrdefs.IsNotFound(err) {
			t.Errorf("%s: it is still there", name)
		}
	}
}

// A wait ends with its context, although the container goes on.
func TestWaitEndsWithItsContext(t *testing.T) {
	e := realEngine(t)
	id := created(t, e, blocker(t, e), confine.Reference())
	if err := e.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Wait(ctx, id); err == nil {
		t.Error("the wait ended without an error")
	}
}

type stopwatch struct {
	t    *testing.T
	last time.Time
}

func (s *stopwatch) lap(what string) {
	s.t.Logf("%-24s %v", what, time.Since(s.last).Round(10*time.Microsecond))
	s.last = time.Now()
}

// save writes an account without what would name this machine: ids become
// digits, in the order of their appearance; names and times are constants.
func save(t *testing.T, name string, raw []byte) {
	t.Helper()
	v := jsontext.Value(bytes.Clone(raw))
	if err := v.Indent(); err != nil {
		t.Fatal(err)
	}
	s := string(v)
	var seen []string
	for _, id := range regexp.MustCompile(`\b[0-9a-f]{64}\b`).FindAllString(s, -1) {
		if !slices.Contains(seen, id) {
			seen = append(seen, id)
		}
	}
	for i, id := range seen {
		digits := strings.Repeat(fmt.Sprintf("%02x", i+1), 32)
		s = strings.ReplaceAll(strings.ReplaceAll(s, id, digits), id[:12], digits[:12])
	}
	s = regexp.MustCompile(`"20\d\d-[^"]*"`).ReplaceAllString(s, `"2026-01-02T03:04:05.678Z"`)
	s = regexp.MustCompile(`"Pid": [1-9]\d*`).ReplaceAllString(s, `"Pid": 4242`)
	s = regexp.MustCompile(`"Name": "/[^"]*"`).ReplaceAllString(s, `"Name": "/recorded"`)
	if err := os.WriteFile("testdata/"+name, append([]byte(s), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
