package harness

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"

	"postern/fixtures/plan"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
	"postern/gateway/frame"
	"postern/mutants"
	"postern/reports"
)

// The benchmarks measure side by side in one run, in turn, so that what the
// machine does meanwhile touches both sides alike. Read the ratios and the
// differences; absolute times are this machine's.

// samples are durations of one kind.
type samples []time.Duration

func (s samples) median() time.Duration {
	if len(s) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(s))[len(s)/2]
}

func (s *samples) time(f func()) {
	began := time.Now()
	f()
	*s = append(*s, time.Since(began))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func benchLab(b *testing.B) *lab {
	b.Helper()
	l, err := openLab(b.Context(), Options{}.withDefaults())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.close() })
	return l
}

// BenchmarkTrial puts a protected trial, from its first listener to its
// verdict, beside a bare create, start, wait and remove of the same container.
func BenchmarkTrial(b *testing.B) {
	l := benchLab(b)
	spec := Plan{}.protected("protected/1", "")
	var whole, bare samples
	for b.Loop() {
		bare.time(func() { bareLifecycle(b, l) })
		whole.time(func() {
			if row, err := l.try(b.Context(), spec); err != nil || !asRequired(row) {
				b.Fatalf("the trial came out as %s: %v", row.Verdict, err)
			}
		})
	}
	b.ReportMetric(ms(bare.median()), "bare-ms")
	b.ReportMetric(ms(whole.median()), "trial-ms")
	b.ReportMetric(ms(whole.median()-bare.median()), "over-ms")
	b.ReportMetric(float64(whole.median())/float64(bare.median()), "ratio")
}

func bareLifecycle(b *testing.B, l *lab) {
	ctx := b.Context()
	config, host, networks, err := docker.Render(confine.Reference(), l.image, map[string]string{labelOurs: "1", labelOwner: l.owner.String()})
	if err != nil {
		b.Fatal(err)
	}
	config.OpenStdin, config.StdinOnce = false, false // the agent ends at once
	made, err := l.api.ContainerCreate(ctx, config, host, networks, nil, "")
	if err != nil {
		b.Fatal(err)
	}
	exited, failed := l.api.ContainerWait(ctx, made.ID, container.WaitConditionNextExit)
	if err := l.api.ContainerStart(ctx, made.ID, container.StartOptions{}); err != nil {
		b.Fatal(err)
	}
	select {
	case <-exited:
	case err := <-failed:
		b.Fatal(err)
	}
	if err := l.api.ContainerRemove(ctx, made.ID, container.RemoveOptions{Force: true}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRoundTrip puts one call's way from the agent through container,
// bridge, gateway, tool server and back beside a line that goes through a
// local process and back.
func BenchmarkRoundTrip(b *testing.B) {
	l := benchLab(b)
	const calls = 200
	var through, echo, own samples
	for b.Loop() {
		echo = append(echo, echoes(b, calls)...)
		whole, gatewayOnly := roundTrips(b, l, calls)
		through = append(through, whole...)
		own = append(own, gatewayOnly...)
	}
	b.ReportMetric(ms(echo.median()), "echo-ms")
	b.ReportMetric(ms(through.median()), "call-ms")
	b.ReportMetric(ms(own.median()), "gateway+tool-ms")
	b.ReportMetric(float64(through.median())/float64(echo.median()), "ratio")
}

// roundTrips times the calls of one session: from one arriving at the gateway
// to the next, and the part of it between arrival and answer.
func roundTrips(b *testing.B, l *lab, calls int) (whole, own samples) {
	t := benchTrial(b, l, Spec{ID: "bench", Apply: func(c *gateway.Config, _ mutants.Site) { c.Limits.Calls, c.Limits.Output = calls+1, 1<<22 }})
	config, err := t.enrolled(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	g, err := gateway.Open(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	var arrivals []time.Time
	handle := func(ctx context.Context, c frame.Call) (r bridge.Reply) {
		arrivals = append(arrivals, time.Now())
		own.time(func() { r = g.Handle(ctx, c) })
		return r
	}
	result := exchangeOnce(b, l, config, t.repeat(b, calls), handle)
	if result.Outcome != bridge.Completed || result.Calls != calls+1 {
		b.Fatalf("the session ended as %s after %d calls", result.Outcome, result.Calls)
	}
	for i := 1; i < len(arrivals); i++ {
		whole = append(whole, arrivals[i].Sub(arrivals[i-1]))
	}
	return whole, own
}

// benchTrial is a trial with every observer listening.
func benchTrial(b *testing.B, l *lab, s Spec) *trial {
	b.Helper()
	t := l.trial(s, new(reports.Trial))
	var err error
	if t.canaries, err = l.mint(s.ID, confine.TierReference); err != nil {
		b.Fatal(err)
	}
	t.dir = b.TempDir()
	t.audit = filepath.Join(t.dir, "audit.sqlite")
	if t.posts, err = t.listen(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { t.posts.close() })
	return t
}

func (t *trial) repeat(b *testing.B, calls int) []byte {
	initial, err := t.canaries.initialFrame(plan.Plan{Mode: plan.ModeRepeat, Calls: calls}, t.posts.addresses)
	if err != nil {
		b.Fatal(err)
	}
	return initial
}

func exchangeOnce(b *testing.B, l *lab, config gateway.Config, initial []byte, handle bridge.Handler) bridge.Result {
	ctx := b.Context()
	id, err := l.engine.Create(ctx, config.Image, config.Profile, map[string]string{labelOurs: "1", labelOwner: l.owner.String()})
	if err != nil {
		b.Fatal(err)
	}
	defer l.engine.Remove(context.WithoutCancel(ctx), id)
	attached, err := l.engine.Attach(ctx, id)
	if err != nil {
		b.Fatal(err)
	}
	defer attached.Close()
	if err := l.engine.Start(ctx, id); err != nil {
		b.Fatal(err)
	}
	return bridge.Exchange(ctx, bridge.Stream{Stdin: attached.Stdin, Output: attached.Output, Close: attached.Close}, initial, config.Limits, handle)
}

// echoes times lines through cat(1) and back.
func echoes(b *testing.B, n int) (all samples) {
	cat := exec.CommandContext(b.Context(), "cat")
	in, err := cat.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cat.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cat.Start(); err != nil {
		b.Fatal(err)
	}
	defer cat.Wait()
	defer in.Close()
	lines := bufio.NewReader(out)
	for range n {
		all.time(func() {
			if _, err := in.Write([]byte("a line as long as a call of the agent's is, about that\n")); err != nil {
				b.Fatal(err)
			}
			if _, err := lines.ReadSlice('\n'); err != nil {
				b.Fatal(err)
			}
		})
	}
	return all
}

// BenchmarkMainJob is the whole campaign, set-up and bundle included.
func BenchmarkMainJob(b *testing.B) {
	for b.Loop() {
		e, err := Run(b.Context(), Options{Out: filepath.Join(b.TempDir(), "bundle")})
		if err != nil || !e.Summary.Accepted {
			for _, t := range e.Trials {
				if says := Explain(t); says != nil {
					b.Logf("%s: %v %v", t.ID, t.Reasons, says)
				}
			}
			b.Fatalf("accepted %v: %v", e.Summary.Accepted, err)
		}
	}
}

// BenchmarkSupervision injects every fault and reports how long the container
// outlived it, as another process saw it, and the bridge's peak memory.
func BenchmarkSupervision(b *testing.B) {
	l := benchLab(b)
	for _, sc := range (Plan{}).scenes() {
		if !sc.Watched {
			continue
		}
		b.Run(sc.ID, func(b *testing.B) {
			spec := (Plan{}).played(sc)[0]
			var outlived samples
			for b.Loop() {
				row, err := l.try(b.Context(), spec)
				if err != nil || !asRequired(row) {
					b.Fatalf("the trial came out as %s: %v", row.Verdict, err)
				}
				outlived = append(outlived, time.Duration(row.StoppedUS)*time.Microsecond)
			}
			sorted := slices.Sorted(slices.Values(outlived))
			b.ReportMetric(ms(outlived.median()), "p50-ms")
			b.ReportMetric(ms(sorted[(len(sorted)*99-1)/100]), "p99-ms")
			b.ReportMetric(0, "ns/op") // the trial's length says nothing of the fault
		})
	}
	b.Run("bridge-memory", func(b *testing.B) {
		var peak float64
		for b.Loop() {
			peak = max(peak, peakMemory(b, l))
		}
		b.ReportMetric(peak, "peak-MB")
		b.ReportMetric(0, "ns/op")
	})
}

// peakMemory is the largest resident set that a bridge process had while it
// served an agent, VmHWM in proc(5), in MB.
func peakMemory(b *testing.B, l *lab) float64 {
	t := benchTrial(b, l, Spec{ID: "bench", Scene: (Plan{}).scene("bridge-killed")})
	v, err := t.startVictim(b.Context(), faults()[0], "")
	if err != nil {
		b.Fatal(err)
	}
	id, init, err := t.delivered(b.Context(), v)
	if err != nil {
		b.Fatal(err)
	}
	defer t.clear(id, v)
	defer release(init)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1000
}
