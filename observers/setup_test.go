package observers

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docker/docker/client"
	"github.com/google/go-cmp/cmp"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

// trial holds fresh canaries for every channel and the watch for them.
type trial struct {
	t      *testing.T
	key    canary.Key
	watch  *canary.Watch
	pilots Pilots
}

func newTrial(t *testing.T) *trial {
	t.Helper()
	key := canary.NewKey()
	p := Pilots{Before: key.Mint("t", channel.PilotBefore), After: key.Mint("t", channel.PilotAfter)}
	entries := []canary.Entry{{ID: channel.PilotBefore, Canary: p.Before}, {ID: channel.PilotAfter, Canary: p.After}}
	for _, id := range []channel.ID{channel.DressedBefore, channel.DressedAfter} {
		entries = append(entries, canary.Entry{ID: id, Canary: key.Mint("t", id)})
	}
	for _, c := range channel.All() {
		entries = append(entries, canary.Entry{ID: c.ID, Canary: key.Mint("t", c.ID)})
	}
	w, err := canary.NewWatch(entries)
	if err != nil {
		t.Fatal(err)
	}
	return &trial{t, key, w, p}
}

// newDressedTrial is one in which the agent may dress its canaries.
func newDressedTrial(t *testing.T) *trial {
	t.Helper()
	tr := newTrial(t)
	tr.pilots.Dressed = &Pilots{Before: tr.key.Mint("t", channel.DressedBefore), After: tr.key.Mint("t", channel.DressedAfter)}
	return tr
}

func (tr *trial) text(id channel.ID) string { return tr.key.Mint("t", id).Reveal() }

// plan is that mode with a probe on each channel named by addresses.
func (tr *trial) plan(m plan.Mode, addresses map[channel.ID]string) []byte {
	p := plan.Plan{Mode: m}
	for id, at := range addresses {
		p.Probes = append(p.Probes, plan.Probe{Channel: id, Canary: tr.text(id), Address: at})
	}
	b, err := json.Marshal(p)
	if err != nil {
		tr.t.Fatal("the plan was not packed")
	}
	return append(b, '\n')
}

func pilot(t *testing.T, o Observer, phase channel.ID) {
	t.Helper()
	if err := o.Pilot(t.Context(), phase); err != nil {
		t.Fatalf("%s at %s: %v", phase, o.Sink(), err)
	}
}

func collect(t *testing.T, o Observer) Report {
	t.Helper()
	r, err := o.Collect(t.Context())
	if err != nil {
		t.Fatalf("collecting at %s: %v", o.Sink(), err)
	}
	return r
}

// saw demands exactly these sightings.
func saw(t *testing.T, r Report, want map[channel.ID]int) {
	t.Helper()
	if diff := cmp.Diff(observations(r.Hearing.Sink, want), r.Observations); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", r.Hearing.Sink, diff)
	}
}

func sound(t *testing.T, r Report) {
	t.Helper()
	if !r.Hearing.Sound() {
		t.Errorf("not sound: %+v", r.Hearing)
	}
}

// within is a context so short that what never comes is not waited for long.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

var agentDir string // set by TestMain

var buildAgent = sync.OnceValues(func() (string, error) {
	path := filepath.Join(agentDir, "agent")
	return path, fixtures.BuildAgent(context.Background(), path)
})

func TestMain(m *testing.M) {
	var err error
	if agentDir, err = os.MkdirTemp("", "postern-agent-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(agentDir)
	os.Exit(code)
}

func agentPath(t *testing.T) string {
	t.Helper()
	path, err := buildAgent()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// runAgent runs the real agent, uncontained, until nobody answers its report.
func runAgent(t *testing.T, planLine []byte) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), agentPath(t))
	cmd.Stdin = strings.NewReader(string(planLine))
	out, _ := cmd.Output() // its status says only that no reply came
	if !strings.Contains(string(out), `"operation":"report"`) {
		t.Fatal("the agent sent no report")
	}
}

func engine(t *testing.T) *client.Client {
	t.Helper()
	cli, err := client.NewClientWithOpts(client.WithHost("unix:///var/run/docker.sock"), client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cli.Close() })
	if _, err := cli.Ping(t.Context()); err != nil {
		if strings.Contains(os.Getenv("POSTERN_REQUIRE"), "docker") {
			t.Fatal("no Engine answers, and POSTERN_REQUIRE demands one")
		}
		t.Skip("no Engine answers on /var/run/docker.sock")
	}
	return cli
}

// rawOf is the bytes of a canary's text.
func rawOf(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal("a canary is no hexadecimal text")
	}
	return raw
}

// startAgent runs the real agent, uncontained.
func startAgent(t *testing.T, planLine []byte) (stdin io.WriteCloser, stdout *bufio.Reader, stop func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), agentPath(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(planLine); err != nil {
		t.Fatal("the agent took no plan")
	}
	return in, bufio.NewReader(out), func() { cmd.Process.Kill(); cmd.Wait() }
}
