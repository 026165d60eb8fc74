package reports

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTheFaultsOfTheSample(t *testing.T) {
	_, e := sample()
	want := []Fault{
		{ID: "bridge-killed", Runs: 3, Stopped: 3, MinUS: 900, P50US: 1500, P99US: 2100, MaxUS: 2100},
		{ID: "watchdog-paused", Runs: 1, Stopped: 1, MinUS: 1040000, P50US: 1040000, P99US: 1040000, MaxUS: 1040000},
	}
	e.Faults = []Fault{{ID: "of-another-campaign"}}
	if diff := cmp.Diff(want, Complete(e).Faults); diff != "" {
		t.Error(diff)
	}
}

// TestWhatCountsOfARun changes one of two runs; the other one stopped after
// 900 us.
func TestWhatCountsOfARun(t *testing.T) {
	both := Fault{ID: "bridge-killed", Runs: 2, Stopped: 2, MinUS: 900, P50US: 900, P99US: 1500, MaxUS: 1500}
	one := Fault{ID: "bridge-killed", Runs: 2, Stopped: 1, MinUS: 900, P50US: 900, P99US: 900, MaxUS: 900}
	delivered := func(n int) Fault { f := both; f.Deliveries = n; return f }
	for name, c := range map[string]struct {
		change func(*Trial)
		want   Fault
	}{
		"as it should":                 {func(*Trial) {}, both},
		"removed":                      {func(r *Trial) { r.Container = Absent }, both},
		"left running":                 {func(r *Trial) { r.Container = Running }, one},
		"found in no state":            {func(r *Trial) { r.Container = "" }, one},
		"not seen to die":              {func(r *Trial) { r.StoppedUS = 0 }, one},
		"leaked, and stopped":          {func(r *Trial) { r.Verdict = Leaked }, both},
		"released twice":               {func(r *Trial) { r.Observations[0].Sightings = 2 }, both},
		"a delivery":                   {func(r *Trial) { add(&r.Observations, Observation{"net.tcp4", "tcp4", 3}) }, delivered(3)},
		"deliveries by two":            {func(r *Trial) { r.Observations = []Observation{{"net.tcp4", "tcp4", 3}, {"log.stderr", "log", 4}} }, delivered(7)},
		"a release at another sink":    {func(r *Trial) { add(&r.Observations, Observation{"tool.permitted", "tcp4", 1}) }, delivered(1)},
		"another canary at the tool":   {func(r *Trial) { add(&r.Observations, Observation{"net.tcp4", "tool", 1}) }, delivered(1)},
		"a canary of no known channel": {func(r *Trial) { add(&r.Observations, Observation{"net.x", "tcp4", 1}) }, delivered(1)},
		"of another kind":              {func(r *Trial) { r.Kind = Mutant }, Fault{ID: "bridge-killed", Runs: 1, Stopped: 1, MinUS: 900, P50US: 900, P99US: 900, MaxUS: 900}},
	} {
		_, e := sample()
		run := hurt("supervision/bridge-killed/1", 1500, Exited)
		c.change(&run)
		e.Trials = []Trial{run, hurt("supervision/bridge-killed/2", 900, Exited)}
		if diff := cmp.Diff([]Fault{c.want}, Complete(e).Faults); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAFaultThatNeverStopped(t *testing.T) {
	e := Complete(Evidence{Trials: []Trial{hurt("supervision/both-killed/1", 0, Running)}})
	want := []Fault{{ID: "both-killed", Runs: 1, Deliveries: 1}} // no channel is listed, so none is a release
	if diff := cmp.Diff(want, e.Faults); diff != "" {
		t.Error(diff)
	}
}

// TestARunWithoutAFaultIsCounted keeps an id of another form from taking its
// run out of the sums.
func TestARunWithoutAFaultIsCounted(t *testing.T) {
	for _, id := range []string{"", "supervision", "supervision/bridge-killed", "failure/bridge-killed/1", "supervision/a/b/1"} {
		e := Complete(Evidence{Trials: []Trial{{ID: id, Kind: Supervision}}})
		if diff := cmp.Diff([]Fault{{Runs: 1}}, e.Faults); diff != "" {
			t.Errorf("%q: %s", id, diff)
		}
		if diff := cmp.Diff(FaultCounts{Faults: 1, Runs: 1}, e.Summary.Supervision); diff != "" {
			t.Errorf("%q: %s", id, diff)
		}
	}
}

func TestNearestRank(t *testing.T) {
	for _, c := range []struct{ runs, p50, p99 int }{{1, 1, 1}, {2, 1, 2}, {3, 2, 3}, {4, 2, 4}, {20, 10, 20}, {99, 50, 99}, {100, 50, 99}, {101, 51, 100}, {200, 100, 198}} {
		var trials []Trial
		for n := range c.runs { // the times are their ranks, the last one first
			trials = append(trials, hurt(fmt.Sprintf("supervision/bridge-killed/%d", n+1), int64(c.runs-n), Exited))
		}
		got := tallyFaults(nil, trials)[0]
		if got.MinUS != 1 || got.P50US != int64(c.p50) || got.P99US != int64(c.p99) || got.MaxUS != int64(c.runs) {
			t.Errorf("%d runs: %+v", c.runs, got)
		}
	}
}

// TestNearestRankByItsDefinition holds the percentile against its definition:
// the smallest measured time that p percent of all do not exceed.
func TestNearestRankByItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Int64Range(1, 50), 1, 300).Draw(t, "times")
		p := rapid.IntRange(1, 100).Draw(t, "p")
		slices.Sort(times)
		got := nearestRank(times, p)
		atMost := func(limit int64) (n int) {
			for _, v := range times {
				if v <= limit {
					n++
				}
			}
			return n
		}
		if !slices.Contains(times, got) || 100*atMost(got) < p*len(times) || 100*atMost(got-1) >= p*len(times) {
			t.Errorf("p%d is %d", p, got)
		}
	})
}

// TestEveryTimeOfAFaultCounts changes each time of the sample's supervision
// trials: each is one of its fault's percentiles, and no count is left right.
func TestEveryTimeOfAFaultCounts(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	good := filesOf(t, publish(t))
	e, problems := decode[Evidence](evidenceFile, good[evidenceFile])
	must(t, asError(problems))
	for i, trial := range e.Trials {
		if trial.Kind != Supervision {
			continue
		}
		for _, time := range []int64{0, trial.StoppedUS - 1, trial.StoppedUS + 1} {
			changed := e
			changed.Trials = slices.Clone(e.Trials)
			changed.Trials[i].StoppedUS = time
			files := copyOf(good)
			files[evidenceFile], _ = encode(changed)
			reseal(files)
			if _, problems := inspect(s, files); len(problems) == 0 {
				t.Errorf("%s: %d for %d is accepted", trial.ID, time, trial.StoppedUS)
			}
		}
	}
}

func TestOpenComparesTheFaults(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	good := filesOf(t, publish(t))
	for name, c := range map[string]struct {
		change func(*Evidence)
		want   []string
	}{
		"as written":    {func(*Evidence) {}, nil},
		"one left out":  {func(e *Evidence) { e.Faults = e.Faults[:1] }, []string{"evidence.json: count differs from the trials at /faults"}},
		"none":          {func(e *Evidence) { e.Faults = nil }, []string{"evidence.json: count differs from the trials at /faults"}},
		"one too many":  {func(e *Evidence) { add(&e.Faults, e.Faults[0]) }, []string{"evidence.json: count differs from the trials at /faults"}},
		"another order": {func(e *Evidence) { slices.Reverse(e.Faults) }, []string{"evidence.json: count differs from the trials at /faults/0", "evidence.json: count differs from the trials at /faults/1"}},
	} {
		e, problems := decode[Evidence](evidenceFile, good[evidenceFile])
		must(t, asError(problems))
		c.change(&e)
		files := copyOf(good)
		files[evidenceFile], _ = encode(e)
		reseal(files)
		_, problems = inspect(s, files)
		if diff := cmp.Diff(c.want, near(problems, -10, 0)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
