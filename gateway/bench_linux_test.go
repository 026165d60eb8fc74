package gateway

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"postern/gateway/audit"
	"postern/gateway/frame"
	"postern/gateway/telemetry"
)

// quantiles reports what the design sets bars for.
func quantiles(b *testing.B, of string, took []time.Duration) {
	slices.Sort(took)
	for _, q := range []int{50, 95, 99} {
		b.ReportMetric(float64(took[len(took)*q/100].Nanoseconds())/1000, fmt.Sprintf("%sp%d-us", of, q))
	}
}

func timed(b *testing.B, step func()) {
	var took []time.Duration
	for b.Loop() {
		took = append(took, clocked(step))
	}
	quantiles(b, "", took)
}

func clocked(step func()) time.Duration {
	start := time.Now()
	step()
	return time.Since(start)
}

// warmUp is how many calls go before those that are measured.
const warmUp = 1000

// BenchmarkParts measures the parts of a call with 200 bytes of arguments, in
// random order in one run:
//
//	frame            the agent's line, read
//	policy, ceiling  the two decisions themselves, of twelve rules
//	decide           alias, gate, arguments, policy and ceiling
//	row              a commitment and one durable row
//	telemetry        a span for a collector, and a line of the log
//	own              the gateway's own part of a released call: decide, and two rows
//	released         a whole call, with the real tool server
//	tool             that server's part of it: the transport, and its own sink
//	echo             a bare server and client of the same library over stdio
//
// Of "disk" each row waits for the disk by itself (fsync per call), and of "memory"
// for nothing. BenchmarkOwn has what rows cost that share their wait.
func BenchmarkParts(b *testing.B) {
	bare := echo(b)
	for name, log := range logs(b) {
		b.Run(name, func(b *testing.B) {
			g, tel := inLog(b, log), toldOf(b)
			line := []byte(`{"operation":"deliver","arguments":{"text":"` + text + `"}}`)
			deliver, publish := asks(b, "deliver", text), asks(b, "publish", text)
			decided := call{tool: g.config.Catalogue[0], label: g.held.Label(), number: 1}
			parts := []struct {
				name string
				step func() bool // reports whether it came out as it should
			}{
				{"frame-", func() bool {
					_, err := frame.Decode(line, frame.Limits{})
					return err == nil
				}},
				{"policy-", func() bool { return g.authorize(decided).Permitted }},
				{"ceiling-", func() bool { return g.config.Ceilings.Admits(g.config.Lattice, decided.tool.Sink, decided.label) }},
				{"decide-", func() bool {
					c := call{label: decided.label}
					verdict, leave := g.decide(b.Context(), &c, deliver)
					leave()
					return verdict == permitted
				}},
				{"row-", func() bool {
					return g.recorded(b.Context(), decided, permitted, audit.Call(deliver.Operation, deliver.Arguments))
				}},
				{"telemetry-", func() bool {
					tel.Begin(b.Context()).End(telemetry.CallEnded, telemetry.Call{Session: "s", Number: 1, Tool: "vault_store", Code: answered, Label: string(decided.label)})
					return true
				}},
				{"own-", func() bool {
					return g.Handle(b.Context(), publish).Code == "denied-ceiling" &&
						g.recorded(b.Context(), decided, released, audit.Answer("stored"))
				}},
				{"released-", func() bool { return g.Handle(b.Context(), deliver).Code == "" }},
				{"tool-", func() bool {
					_, err := g.server.Call(b.Context(), "vault_store", map[string]string{"text": text})
					return err == nil
				}},
				{"echo-", func() bool {
					_, err := bare.CallTool(b.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]string{"text": text}})
					return err == nil
				}},
			}
			took := make([][]time.Duration, len(parts))
			round := func() {
				for _, i := range rand.Perm(len(parts)) { // what goes before leaves the caches as they are
					ok := false
					took[i] = append(took[i], clocked(func() { ok = parts[i].step() }))
					if !ok {
						b.Fatalf("%s did not come out as it should", parts[i].name)
					}
				}
			}
			for range warmUp {
				round()
			}
			clear(took)
			for b.Loop() {
				round()
			}
			for i, part := range parts {
				quantiles(b, part.name, took[i])
			}
		})
	}
}

// text is what an agent delivers in a benchmark.
var text = strings.Repeat("a word of it, and ", 12)[:200]

// toldOf tells a collector that takes everything, and a log.
func toldOf(b *testing.B) *telemetry.Telemetry {
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }))
	b.Cleanup(collector.Close)
	o := telemetry.Options{Collector: strings.TrimPrefix(collector.URL, "http://"), Log: filepath.Join(b.TempDir(), "log")}
	tel, err := telemetry.Open(b.Context(), o, []string{"s", "vault_store", answered, "confidential"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { tel.Close() })
	return tel
}

// echo runs a bare tool server.
func echo(b *testing.B) *mcp.ClientSession {
	path := filepath.Join(b.TempDir(), "echo")
	build := exec.Command("go", "build", "-o", path, "./testdata/echo")
	if said, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, said)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := client.Connect(b.Context(), &mcp.CommandTransport{Command: exec.Command(path)}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { session.Close() })
	return session
}

// logs are what a row may wait for: a disk, or nothing.
func logs(b *testing.B) map[string]*audit.Log {
	disk, err := audit.Open(b.Context(), filepath.Join(b.TempDir(), "audit.db"))
	if err != nil {
		b.Fatal(err)
	}
	memory, err := audit.OpenMemory(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { disk.Close(); memory.Close() })
	return map[string]*audit.Log{"disk": disk, "memory": memory}
}

func inLog(b *testing.B, log *audit.Log) *Gateway {
	c := config(b, newSink(b))
	for rule := range 10 { // with the two that are there, twelve
		c.Policy.Policies = fmt.Appendf(c.Policy.Policies, `@id("sink-%d") forbid (principal, action == Action::"call", resource) when { context.sink == "sink-%d" && context.sensitivity > 1 };`+"\n", rule, rule)
	}
	g, err := OpenIn(b.Context(), c, log)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { g.Close() })
	return g
}

// BenchmarkOwn measures the gateway's own part of a released call, its tool apart:
// the decision, and two rows in an audit log of one kind.
//
//	memory    the log waits for nothing
//	fsync     each row waits for the disk by itself
//	group-8   eight callers at a time, whose rows wait together
//	group-64  sixty-four
//
// "wait" is how long a caller waits for it, from the moment that it asks. Of a group
// that is not what a call costs: "own" is then the share of each in what all of them
// take by the clock, over as many calls in a row as there are callers.
func BenchmarkOwn(b *testing.B) {
	for _, kind := range []struct {
		name, log string
		callers   int
	}{{"memory", "memory", 1}, {"fsync", "disk", 1}, {"group-8", "disk", 8}, {"group-64", "disk", 64}} {
		b.Run(kind.name, func(b *testing.B) {
			log := logs(b)[kind.log]
			g := inLog(b, log)
			publish := asks(b, "publish", text)
			own := func() {
				denied := g.Handle(context.Background(), publish).Code == "denied-ceiling"
				if !denied || !g.recorded(context.Background(), call{tool: g.config.Catalogue[0], label: g.held.Label(), number: 1}, released, audit.Answer("stored")) {
					b.Error("it did not come out as it should")
				}
			}
			for range warmUp {
				own()
			}
			began, rows, commits := time.Now(), log.Head().Rows, log.Commits()
			took, ended := make([][]time.Duration, kind.callers), make([][]time.Duration, kind.callers)
			var all sync.WaitGroup
			for i := range took {
				all.Go(func() {
					for range max(b.N/kind.callers, 2) {
						took[i] = append(took[i], clocked(own))
						ended[i] = append(ended[i], time.Since(began))
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(log.Head().Rows-rows)/float64(log.Commits()-commits), "rows/commit")
			quantiles(b, "own-", shares(slices.Concat(ended...), kind.callers))
			quantiles(b, "wait-", slices.Concat(took...))
		})
	}
}

// shares are what each of as many calls in a row as there are callers had of the
// time that they took together.
func shares(ended []time.Duration, callers int) (out []time.Duration) {
	slices.Sort(ended)
	for i := callers; i < len(ended); i++ {
		out = append(out, (ended[i]-ended[i-callers])/time.Duration(callers))
	}
	return out
}

// The decision alone: alias, arguments, policy, ceiling.
func BenchmarkDecide(b *testing.B) {
	g := opened(b, config(b, newSink(b)))
	f := asks(b, "deliver", secret)
	for b.Loop() {
		c := call{label: g.held.Label()}
		v, leave := g.decide(b.Context(), &c, f)
		leave()
		if v != permitted {
			b.Fatal("denied")
		}
	}
}

// A call that is denied at the last step: decision and one durable row.
func BenchmarkDenied(b *testing.B) {
	g := opened(b, config(b, newSink(b)))
	f := asks(b, "publish", secret)
	timed(b, func() {
		if g.Handle(b.Context(), f).Code != "denied-ceiling" {
			b.Fatal("not denied")
		}
	})
}

// A call that is released: two durable rows and the real tool server.
func BenchmarkReleased(b *testing.B) {
	g := opened(b, config(b, newSink(b)))
	f := asks(b, "deliver", secret)
	timed(b, func() {
		if g.Handle(b.Context(), f).Code != "" {
			b.Fatal("denied")
		}
	})
}

// What of BenchmarkReleased is the tool server's.
func BenchmarkUpstream(b *testing.B) {
	g := opened(b, config(b, newSink(b)))
	timed(b, func() {
		if _, err := g.server.Call(b.Context(), "vault_store", map[string]string{"text": secret}); err != nil {
			b.Fatal(err)
		}
	})
}

// From nothing to a gateway that serves, and back.
func BenchmarkOpenClose(b *testing.B) {
	c := config(b, newSink(b))
	timed(b, func() {
		g, err := Open(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		if err := g.Close(); err != nil {
			b.Fatal(err)
		}
	})
}
