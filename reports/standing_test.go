package reports

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// single and pair are mutants of one and of several controls; what is not said
// of them is empty.
func single(control string, status Status, openings ...string) Trial {
	return Trial{Kind: Mutant, Control: control, Status: status, Openings: openings}
}

func pair(control, with string, status Status, openings ...string) Trial {
	t := single(control, status, openings...)
	t.With = []string{with}
	return t
}

func because(reason string, t Trial) Trial {
	t.Reason = reason
	return t
}

func baseline(control, with string, status Status) Trial {
	t := pair(control, with, status)
	t.Baseline = true
	return t
}

func TestStanding(t *testing.T) {
	for name, c := range map[string]struct {
		trials []Trial
		want   Control // of control a
	}{
		"no mutant":                       {nil, Control{Standing: Unproved}},
		"a mutant of another":             {[]Trial{single("b", Killed, "x")}, Control{Standing: Unproved}},
		"killed alone":                    {[]Trial{single("a", Killed, "x")}, Control{Mutants: 1, Killed: 1, Standing: LoadBearing}},
		"killed alone, and one lives":     {[]Trial{single("a", Killed, "x"), single("a", Survived)}, Control{Mutants: 2, Killed: 1, Standing: LoadBearing}},
		"survived":                        {[]Trial{single("a", Survived)}, Control{Mutants: 1, Standing: Unproved}},
		"equivalent, and nobody says why": {[]Trial{single("a", Equivalent)}, Control{Mutants: 1, Standing: Unproved}},
		"killed with a partner": {[]Trial{single("a", Equivalent), single("b", Equivalent), pair("b", "a", Killed, "x")},
			Control{Mutants: 2, Killed: 1, Standing: Redundant, Partners: []string{"b"}}},
		"killed with two, one at a time": {[]Trial{single("a", Equivalent), pair("a", "c", Killed, "x"), pair("b", "a", Killed, "x")},
			Control{Mutants: 3, Killed: 2, Standing: Redundant, Partners: []string{"b", "c"}}},
		"a partner that opens as much alone": {[]Trial{single("a", Equivalent), single("b", Killed, "x", "y"), pair("b", "a", Killed, "x")},
			Control{Mutants: 2, Killed: 1, Standing: Unproved}},
		"a partner that opens less alone": {[]Trial{single("a", Equivalent), single("b", Killed, "y"), pair("b", "a", Killed, "x", "y")},
			Control{Mutants: 2, Killed: 1, Standing: Redundant, Partners: []string{"b"}}},
		"a partner that would have opened as much": {[]Trial{single("b", Survived, "x"), pair("b", "a", Killed, "x")},
			Control{Mutants: 1, Killed: 1, Standing: Redundant, Partners: []string{"b"}}},
		"a stranger that opens as much": {[]Trial{single("a", Equivalent), single("c", Killed, "x"), pair("b", "a", Killed, "x")},
			Control{Mutants: 2, Killed: 1, Standing: Redundant, Partners: []string{"b"}}},
		"a pair that survived": {[]Trial{single("a", Equivalent), pair("b", "a", Survived)}, Control{Mutants: 2, Standing: Unproved}},
		"inert": {[]Trial{because("no-swap", single("a", Equivalent)), baseline("a", "b", Equivalent)},
			Control{Mutants: 2, Standing: Inert, Reason: "no-swap"}},
		"inert, and beside others not": {[]Trial{because("no-swap", single("a", Equivalent)), baseline("a", "b", KilledByOther)},
			Control{Mutants: 2, Standing: Unproved}},
		"inert beside others alone":           {[]Trial{because("no-swap", baseline("a", "b", Equivalent))}, Control{Mutants: 1, Standing: Unproved}},
		"inert in one way and not in another": {[]Trial{because("no-swap", single("a", Equivalent)), single("a", Survived)}, Control{Mutants: 2, Standing: Unproved}},
		"inert in the one way that can be tried": {[]Trial{because("no-swap", single("a", Equivalent)), because("no-ipv6", single("a", NotApplicable))},
			Control{Mutants: 2, Standing: Inert, Reason: "no-swap"}},
		"what another is compared with": {[]Trial{because("no-swap", single("a", Equivalent)), because("no-ipv6", baseline("b", "a", Survived))},
			Control{Mutants: 2, Standing: Inert, Reason: "no-swap"}},
		"not applicable": {[]Trial{because("no-vsock", single("a", NotApplicable)), because("no-ipv6", pair("b", "a", NotApplicable))},
			Control{Mutants: 2, Standing: Inapplicable, Reason: "no-vsock"}},
		"not applicable, and nobody says why": {[]Trial{because("no-vsock", single("a", NotApplicable)), single("a", NotApplicable)},
			Control{Mutants: 2, Standing: Unproved}},
		"not applicable in one way":     {[]Trial{because("no-vsock", single("a", NotApplicable)), single("a", Failed)}, Control{Mutants: 2, Standing: Unproved}},
		"a protected trial in its name": {[]Trial{{Kind: Protected, Control: "a", Status: Killed}}, Control{Standing: Unproved}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.ID, c.want.Group = "a", "g"
			if c.want.Partners == nil {
				c.want.Partners = []string{}
			}
			claim := Control{ID: "a", Group: "g", Mutants: 9, Killed: 9, Standing: LoadBearing, Partners: []string{"z"}, Reason: "claimed"}
			if diff := cmp.Diff([]Control{c.want}, tallyControls([]Control{claim}, c.trials, nil)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheMatrixOfTheSample(t *testing.T) {
	_, e := sample()
	want := []Kill{
		{"profile.log-none", "log.stderr", 2},
		{"profile.log-none", "net.tcp4", 1},
		{"profile.network-none", "log.stderr", 1},
		{"profile.network-none", "net.tcp4", 2},
	}
	e.Matrix = []Kill{{"profile.links-none", "net.tcp4", 9}}
	if diff := cmp.Diff(want, Complete(e).Matrix); diff != "" {
		t.Error(diff)
	}
}

func TestOpenComparesMatrixAndResiduals(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	good := filesOf(t, publish(t))
	for name, c := range map[string]struct {
		change func(*Evidence)
		want   []string
	}{
		"as written":                 {func(*Evidence) {}, nil},
		"a cell left out":            {func(e *Evidence) { e.Matrix = e.Matrix[:3] }, []string{"evidence.json: count differs from the trials at /matrix"}},
		"no matrix":                  {func(e *Evidence) { e.Matrix = nil }, []string{"evidence.json: count differs from the trials at /matrix"}},
		"a cell too many":            {func(e *Evidence) { add(&e.Matrix, Kill{"profile.vsock-none", "net.vsock", 1}) }, []string{"evidence.json: count differs from the trials at /matrix"}},
		"residuals in another order": {func(e *Evidence) { slices.Reverse(e.Residuals) }, []string{"evidence.json: count differs from the trials at /residuals/0", "evidence.json: count differs from the trials at /residuals/1"}},
		"a residual left out":        {func(e *Evidence) { e.Residuals = e.Residuals[:1] }, []string{"evidence.json: count differs from the trials at /summary"}},
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

func TestOnlyKilledMutantsAreInTheMatrix(t *testing.T) {
	for _, s := range []Status{KilledByOther, Survived, Equivalent, Stillborn, TimedOut, Failed, NotApplicable, InconclusiveKill, ""} {
		if rows := tallyMatrix([]Trial{single("a", s, "x")}); len(rows) != 0 {
			t.Errorf("%q: %v", s, rows)
		}
	}
	if rows := tallyMatrix([]Trial{{Kind: Protected, Control: "a", Status: Killed, Openings: []string{"x"}}}); len(rows) != 0 {
		t.Errorf("a protected trial: %v", rows)
	}
}

// TestAChannelIsExcusedOnlyWhereNothingCouldBeTried names each way in which a
// channel without an opening might be taken for one that this machine lacks.
func TestAChannelIsExcusedOnlyWhereNothingCouldBeTried(t *testing.T) {
	opens := func(t Trial) Trial { t.Expected.Opens = []string{"x"}; return t }
	absent := because("no-vsock", opens(single("a", NotApplicable)))
	for name, c := range map[string]struct {
		trials []Trial
		want   string
	}{
		"nothing planned":              {nil, "registered"},
		"not applicable":               {[]Trial{absent}, "no-vsock"},
		"not applicable twice":         {[]Trial{absent, because("no-ipv6", absent)}, "no-vsock"},
		"without a reason":             {[]Trial{opens(single("a", NotApplicable))}, ""},
		"one without a reason":         {[]Trial{absent, opens(single("a", NotApplicable))}, ""},
		"tried, and killed":            {[]Trial{absent, opens(single("a", Killed, "x"))}, ""},
		"tried, and survived":          {[]Trial{opens(single("a", Survived)), absent}, ""},
		"tried, and broken":            {[]Trial{absent, opens(single("a", Failed))}, ""},
		"not applicable for another":   {[]Trial{because("no-vsock", single("a", NotApplicable))}, "registered"},
		"only compared":                {[]Trial{because("no-vsock", opens(baseline("a", "b", NotApplicable)))}, "registered"},
		"a protected trial without it": {[]Trial{{Kind: Protected, Status: NotApplicable, Reason: "no-vsock", Expected: Expected{Opens: []string{"x"}}}}, "registered"},
	} {
		e := Complete(Evidence{Channels: []Channel{{ID: "x", NotApplicable: "registered"}}, Trials: c.trials})
		if got := e.Channels[0].NotApplicable; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if excused := e.Summary.ChannelsNotApplicable == 1; excused != (c.want != "") || hasUnopened(e.Channels) == (excused || e.Channels[0].OpenedBy > 0) {
			t.Errorf("%s: counted as excused: %v, %+v", name, excused, e.Channels[0])
		}
	}
}

func TestOlderVersionsAreToldApart(t *testing.T) {
	for text, want := range map[string]int64{
		`{"schema": 1, "seed": 0}`: 1, `{"schema":2}`: 2, `{"schema":999`: 999,
		``: 0, `[1]`: 0, `{}`: 0, `{"seed":1,"schema":1}`: 0, `{"schema":"1"}`: 0, `{"schema":1.5}`: 0, `{"schema":99999999}`: 0, `{"schema":-1}`: -1,
	} {
		if got := version([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
