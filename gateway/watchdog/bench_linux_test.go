package watchdog

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkFault measures from a fault to the death of a real container's
// first process, seen by a pidfd from a third process. Run it with
// -benchtime 100x; what a signal takes by itself is among the results.
func BenchmarkFault(b *testing.B) {
	w := realWard(b)
	for _, f := range []fault{
		{name: "none, init killed by a pidfd", do: nil},
		{name: "bridge killed", do: func(s standIn) { kill(s.pid, unix.SIGKILL) }},
		{name: "watchdog killed", do: func(s standIn) { kill(s.watchdog, unix.SIGKILL) }},
		{name: "bridge paused", do: func(s standIn) { kill(s.pid, unix.SIGSTOP) }},
		{name: "watchdog paused", do: func(s standIn) { kill(s.watchdog, unix.SIGSTOP) }},
	} {
		b.Run(strings.ReplaceAll(f.name, " ", "_"), func(b *testing.B) { measure(b, w, f, Weakness{}) })
	}
	b.Run("bridge_killed,_by_the_Engine_alone", func(b *testing.B) {
		measure(b, w, fault{do: func(s standIn) { kill(s.pid, unix.SIGKILL) }}, Weakness{NoPidfd: true})
	})
}

func measure(b *testing.B, w ward, f fault, weak Weakness) {
	var took []time.Duration
	var peak int
	for range b.N {
		b.StopTimer()
		took = append(took, once(b, w, f, weak, &peak))
		b.StartTimer()
	}
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(at(0), "min-ms")
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
	b.ReportMetric(at(1), "max-ms")
	b.ReportMetric(float64(peak), "watchdog-peak-KB")
}

func once(b *testing.B, w ward, f fault, weak Weakness, peak *int) (took time.Duration) {
	s := w.admit(b)
	o := s.options()
	o.Weak = weak
	sub := startBridge(b, task{Options: o})
	time.Sleep(time.Duration(len(s.container)+s.pid%250) * time.Millisecond) // anywhere between two pulses
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", sub.watchdog))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kb); n == 1 {
			*peak = max(*peak, kb)
		}
	}
	start := time.Now()
	if f.do == nil {
		err = unix.PidfdSendSignal(s.pidfd, unix.SIGKILL, nil, 0)
	} else {
		f.do(sub)
	}
	if err != nil || !gone(b, s.pidfd, patience) {
		b.Fatal("the container outlives the fault")
	}
	return time.Since(start)
}
