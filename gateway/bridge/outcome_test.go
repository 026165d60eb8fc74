package bridge_test

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docker/docker/pkg/stdcopy"
	"github.com/google/go-cmp/cmp"

	"postern/gateway/bridge"
	"postern/gateway/frame"
)

const report = `{"operation":"report","arguments":{"attempts":{"net.tcp4":101,"file.root":30}}}` + "\n"

// brief is a session time that a test waits for in full on kernel pipes.
const brief = 30 * time.Millisecond

// ends has rows for every outcome that Exchange gives.
var ends = []struct {
	name    string
	limits  bridge.Limits
	initial string
	handler bridge.Handler // ok, if nil
	agent   func(a *agent)
	want    bridge.Result // byte counts are not compared
}{
	{name: "exit at once", agent: func(a *agent) {},
		want: bridge.Result{Outcome: bridge.Completed}},
	{name: "a call and an exit", agent: func(a *agent) { a.hear(); a.say(call("deliver", "a")); a.hear() },
		want: bridge.Result{Outcome: bridge.Completed, Calls: 1}},
	{name: "exit without waiting for replies", agent: func(a *agent) { a.say(call("deliver", "a") + call("publish", "b")) },
		want: bridge.Result{Outcome: bridge.Completed, Calls: 2}},
	{name: "deaf from the start", agent: func(a *agent) { a.stdin.Close(); a.say(call("deliver", "a")) },
		want: bridge.Result{Outcome: bridge.Completed, Calls: 1}},
	{name: "report, call, exit", agent: func(a *agent) { a.hear(); a.say(report); a.hear(); a.say(call("deliver", "a")); a.hear() },
		want: bridge.Result{Outcome: bridge.Completed, Calls: 2, Attempts: map[string]int{"net.tcp4": 101, "file.root": 30}}},
	{name: "exactly the call limit", limits: bridge.Limits{Calls: 3},
		agent: func(a *agent) { a.hear(); a.say(report + call("a", "") + call("b", "")); a.hear() },
		want:  bridge.Result{Outcome: bridge.Completed, Calls: 3, Attempts: map[string]int{"net.tcp4": 101, "file.root": 30}}},
	{name: "exactly the output limit", limits: bridge.Limits{Output: int64(len(call("a", "")) + 100)},
		agent: func(a *agent) { a.say(call("a", "")); a.stderr.Write(make([]byte, 100)) },
		want:  bridge.Result{Outcome: bridge.Completed, Calls: 1}},
	{name: "megabytes on stderr", limits: bridge.Limits{Output: 4 << 20}, initial: strings.Repeat("x", 1<<20),
		agent: func(a *agent) { // which is not drained by one who first writes the initial line
			for range 64 {
				a.stderr.Write(make([]byte, 32<<10))
			}
			a.hear()
			a.say(call("deliver", "a"))
			a.hear()
		},
		want: bridge.Result{Outcome: bridge.Completed, Calls: 1}},

	{name: "raw text on stdout", agent: func(a *agent) { a.hear(); a.say("canary\n"); <-a.gone },
		want: bridge.Result{Outcome: bridge.FrameRefused, Refused: frame.NotJSON}},
	{name: "replacement of policy", agent: func(a *agent) {
		a.hear()
		a.say(`{"operation":"deliver","arguments":{},"sink_policy":{}}` + "\n")
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.FrameRefused, Refused: frame.UnknownKey}},
	{name: "no LF at the end", agent: func(a *agent) { a.say(strings.TrimSpace(call("deliver", "a"))) },
		want: bridge.Result{Outcome: bridge.FrameRefused, Refused: frame.Unterminated}},
	{name: "bad frame behind good ones", agent: func(a *agent) {
		a.say(call("a", "") + call("b", "") + "[]\n" + call("c", ""))
		a.hear()
		a.hear()
		a.hear()
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.FrameRefused, Refused: frame.Batch, Calls: 2}},
	{name: "bad frame ahead of a flood", limits: bridge.Limits{Output: 1 << 10}, agent: func(a *agent) {
		a.hear()
		a.say("null\n")
		a.stderr.Write(make([]byte, 1<<20))
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.FrameRefused, Refused: frame.NotObject}},
	{name: "bad report", agent: func(a *agent) {
		a.hear()
		a.say(`{"operation":"report","arguments":{"attempts":{"net.tcp4":-1}}}` + "\n")
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.FrameRefused, Refused: frame.ReportInvalid}},
	{name: "second report", agent: func(a *agent) { a.hear(); a.say(report + report); a.hear(); <-a.gone },
		want: bridge.Result{Outcome: bridge.FrameRefused, Refused: frame.ReportInvalid, Calls: 1,
			Attempts: map[string]int{"net.tcp4": 101, "file.root": 30}}},

	{name: "oversized frame", agent: func(a *agent) { a.hear(); a.say(call("deliver", strings.Repeat("a", 64<<10))); <-a.gone },
		want: bridge.Result{Outcome: bridge.FrameOversized, Refused: frame.Oversized}},
	{name: "oversized frame beyond the output limit", agent: func(a *agent) { a.hear(); a.say(strings.Repeat("a", 2<<20)); <-a.gone },
		want: bridge.Result{Outcome: bridge.FrameOversized, Refused: frame.Oversized}},

	{name: "flood on stderr", agent: func(a *agent) { a.hear(); a.stderr.Write(make([]byte, 2<<20)); <-a.gone },
		want: bridge.Result{Outcome: bridge.OutputLimit}},
	{name: "one byte over on stderr", limits: bridge.Limits{Output: 100}, agent: func(a *agent) {
		a.hear()
		a.stderr.Write(make([]byte, 101))
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.OutputLimit}},
	{name: "one byte over on stdout", limits: bridge.Limits{Output: 100}, agent: func(a *agent) {
		a.hear()
		a.say(strings.Repeat("a", 101))
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.OutputLimit}},
	{name: "both streams together", limits: bridge.Limits{Output: 100}, agent: func(a *agent) {
		a.hear()
		a.stderr.Write(make([]byte, 60))
		a.say(strings.Repeat("a", 60))
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.OutputLimit}},
	{name: "flood during a call that then fails", limits: bridge.Limits{Output: 1 << 10},
		handler: func(ctx context.Context, _ frame.Call) bridge.Reply {
			<-ctx.Done()
			return bridge.Reply{Code: "upstream", Fatal: bridge.UpstreamFailed}
		},
		agent: func(a *agent) {
			a.hear()
			a.say(call("a", ""))
			<-a.begun
			a.stderr.Write(make([]byte, 2<<10))
			<-a.gone
		},
		want: bridge.Result{Outcome: bridge.OutputLimit, Calls: 1}},
	{name: "flood while stdin is stuck", limits: bridge.Limits{Output: 1 << 10}, initial: strings.Repeat("x", 1<<20),
		agent: func(a *agent) { a.stderr.Write(make([]byte, 2<<10)); <-a.gone },
		want:  bridge.Result{Outcome: bridge.OutputLimit}},

	{name: "one call over the limit", limits: bridge.Limits{Calls: 2}, agent: func(a *agent) {
		a.hear()
		a.say(call("a", "") + call("b", "") + call("c", ""))
		a.hear()
		a.hear()
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.CallLimit, Calls: 2}},

	{name: "silence", limits: bridge.Limits{Session: brief}, agent: func(a *agent) { a.hear(); <-a.gone },
		want: bridge.Result{Outcome: bridge.SessionTime}},
	{name: "slow loris", limits: bridge.Limits{Session: brief}, agent: func(a *agent) {
		a.hear()
		for _, b := range []byte(call("deliver", strings.Repeat("a", 10_000))) {
			if _, err := a.stdout.Write([]byte{b}); err != nil {
				return
			}
			time.Sleep(brief / 10)
		}
	}, want: bridge.Result{Outcome: bridge.SessionTime}},
	{name: "stuck stdin", limits: bridge.Limits{Session: brief}, initial: strings.Repeat("x", 1<<20),
		agent: func(a *agent) { <-a.gone },
		want:  bridge.Result{Outcome: bridge.SessionTime}},
	{name: "caller gives up", agent: func(a *agent) { a.hear(); a.say(call("a", "")); a.hear(); a.cancel(); <-a.gone },
		want: bridge.Result{Outcome: bridge.Canceled, Calls: 1}},
	{name: "caller gives up during a call",
		handler: func(ctx context.Context, _ frame.Call) bridge.Reply { <-ctx.Done(); return bridge.Reply{} },
		agent:   func(a *agent) { a.hear(); a.say(call("a", "") + call("b", "")); <-a.begun; a.cancel(); <-a.gone },
		want:    bridge.Result{Outcome: bridge.Canceled, Calls: 1}},

	{name: "bytes that are not multiplexed", agent: func(a *agent) { a.hear(); a.raw.Write([]byte("plain text")); <-a.gone },
		want: bridge.Result{Outcome: bridge.StreamLost}},
	{name: "padding that is not zero", agent: func(a *agent) { a.hear(); a.raw.Write([]byte{1, 0, 0, 1, 0, 0, 0, 1, 'a'}); <-a.gone },
		want: bridge.Result{Outcome: bridge.StreamLost}},
	{name: "error of the Engine", agent: func(a *agent) {
		a.hear()
		stdcopy.NewStdWriter(a.raw, stdcopy.Systemerr).Write([]byte("failed"))
		<-a.gone
	}, want: bridge.Result{Outcome: bridge.StreamLost}},
	{name: "cut inside a header", agent: func(a *agent) { a.hear(); a.raw.Write([]byte{1, 0, 0}) },
		want: bridge.Result{Outcome: bridge.StreamLost}},
	{name: "cut inside a chunk", agent: func(a *agent) {
		a.hear()
		a.say(call("a", ""))
		a.raw.Write(binary.BigEndian.AppendUint32([]byte{1, 0, 0, 0}, 4<<30-1))
		a.raw.Write([]byte("{"))
	}, want: bridge.Result{Outcome: bridge.StreamLost, Calls: 1}},

	{name: "upstream fails",
		handler: func(context.Context, frame.Call) bridge.Reply {
			return bridge.Reply{Code: "upstream", Fatal: bridge.UpstreamFailed}
		},
		agent: func(a *agent) { a.hear(); a.say(call("a", "") + call("b", "")); a.hear(); <-a.gone },
		want:  bridge.Result{Outcome: bridge.UpstreamFailed, Calls: 1}},
	{name: "handler panics",
		handler: func(context.Context, frame.Call) bridge.Reply { panic("canary") },
		agent:   func(a *agent) { a.hear(); a.say(call("a", "")); a.hear(); <-a.gone },
		want:    bridge.Result{Outcome: bridge.GatewayUnavailable, Calls: 1}},
	{name: "handler claims completion",
		handler: func(context.Context, frame.Call) bridge.Reply { return bridge.Reply{Fatal: bridge.Completed} },
		agent:   func(a *agent) { a.hear(); a.say(call("a", "")); a.hear(); <-a.gone },
		want:    bridge.Result{Outcome: bridge.GatewayUnavailable, Calls: 1}},
	{name: "handler ends with a strange word",
		handler: func(context.Context, frame.Call) bridge.Reply { return bridge.Reply{Fatal: "canary"} },
		agent:   func(a *agent) { a.hear(); a.say(call("a", "")); a.hear(); <-a.gone },
		want:    bridge.Result{Outcome: bridge.GatewayUnavailable, Calls: 1}},
	{name: "limits above their maximum", limits: bridge.Limits{Calls: bridge.MaxCalls + 1}, agent: func(a *agent) { <-a.gone },
		want: bridge.Result{Outcome: bridge.GatewayUnavailable}},
	{name: "initial line of two lines", initial: "{}\n{}", agent: func(a *agent) { <-a.gone },
		want: bridge.Result{Outcome: bridge.GatewayUnavailable}},
}

// A bubble of synctest ends only when each of its goroutines has, so this
// shows as well that Exchange leaves none.
func TestEveryEndHasItsWordAndLeavesNoGoroutine(t *testing.T) {
	for _, e := range ends {
		t.Run(e.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				check(t, session{pipe: memory, initial: e.initial, limits: e.limits, handler: e.handler, agent: e.agent}, e.want)
			})
		})
	}
}

func TestEveryEndOnKernelPipes(t *testing.T) {
	for _, e := range ends {
		t.Run(e.name, func(t *testing.T) {
			check(t, session{pipe: kernel(t), initial: e.initial, limits: e.limits, handler: e.handler, agent: e.agent}, e.want)
		})
	}
}

func check(t *testing.T, s session, want bridge.Result) {
	t.Helper()
	if s.handler == nil {
		s.handler = ok
	}
	got, closes := s.run(t)
	limit := s.limits.Output
	if limit == 0 {
		limit = bridge.DefaultLimits().Output
	}
	if n := got.StdoutBytes + got.StderrBytes; n > limit+1 || n > limit != (got.Outcome == bridge.OutputLimit) {
		t.Errorf("%d bytes under a limit of %d", n, limit)
	}
	got.StdoutBytes, got.StderrBytes = 0, 0
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	wantCloses := 1
	if want.Outcome == bridge.Completed {
		wantCloses = 0
	}
	if closes != wantCloses {
		t.Errorf("stream closed %d times, want %d", closes, wantCloses)
	}
}

func TestEveryOutcomeOfExchangeHasARow(t *testing.T) {
	around := []bridge.Outcome{bridge.Crashed, bridge.EngineRefused, bridge.AdmissionRefused, bridge.WatchdogLost, bridge.ProfileChanged}
	seen := map[bridge.Outcome]bool{}
	for _, e := range ends {
		seen[e.want.Outcome] = true
	}
	for _, o := range bridge.Outcomes() {
		if seen[o] == slices.Contains(around, o) {
			t.Errorf("outcome %q: has a row: %v", o, seen[o])
		}
	}
	if len(seen)+len(around) != len(bridge.Outcomes()) {
		t.Error("a row has an outcome that Outcomes does not list")
	}
}
