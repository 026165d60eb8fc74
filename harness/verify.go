package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"postern/fixtures/channel"
	"postern/reports"
)

// Verdict is what verify says of a bundle. In JSON it is the summary with one
// key more.
type Verdict struct {
	reports.Summary
	Problems []string `json:"problems"` // one line each: fixed words, places, numbers, and the version that made it in its closed form
}

// ErrNoBundle means that there is nothing at the path that could be verified.
var ErrNoBundle = fmt.Errorf("%w: there is no evidence bundle", ErrUsage)

// Verify reads a bundle as a stranger would. It checks files, digests, schema
// and counts, then judges every trial again from its observations with the
// campaign's own oracle, looks in every file, decoded too, for what is shaped
// like a canary, and holds the plan against the registry of this
// build. Only a bundle without a problem, of a full campaign that passes the
// gate, is accepted. An error means that it could not look.
func Verify(dir string) (Verdict, error) {
	bundle, found, err := Open(dir)
	if err != nil {
		return Verdict{}, err
	}
	shaped, err := keyless(context.Background(), dir)
	if err != nil {
		return Verdict{}, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if len(found) > 0 {
		v := Verdict{Problems: []string{}}
		for _, p := range found {
			v.Problems = append(v.Problems, p.Error())
		}
		v.Problems = append(v.Problems, shaped...)
		return v, nil
	}
	return weigh(bundle, shaped...), nil
}

// weigh judges a bundle whose files, digests, schema and counts fit.
func weigh(bundle reports.Bundle, problems ...string) Verdict {
	e := bundle.Evidence
	v := Verdict{Summary: e.Summary, Problems: append([]string{}, problems...)}
	v.Problems = append(v.Problems, rejudge(e)...)
	v.Problems = append(v.Problems, rejudgeRules(e.Rules)...)
	v.Problems = append(v.Problems, foreignRules(e.Rules)...)
	v.Problems = append(v.Problems, foreign(bundle)...)
	v.Problems = append(v.Problems, unknownWords(e)...)
	v.Problems = append(v.Problems, otherBackends(bundle)...)
	if len(v.Problems) == 0 {
		for _, r := range reports.Gate(e.Summary, e.Channels, e.Controls, e.Trials...) {
			v.Problems = append(v.Problems, "the campaign does not pass the gate: "+string(r))
		}
	}
	v.Summary.Accepted = len(v.Problems) == 0 && e.Summary.Accepted
	return v
}

// Open reads a bundle and checks all of it that needs no oracle: it may be of
// another version's plan, and its verdicts are not judged again. An error means
// that it could not look.
func Open(dir string) (reports.Bundle, []reports.Problem, error) {
	bundle, found, err := reports.Open(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !resemblesBundle(found) {
		return reports.Bundle{}, nil, ErrNoBundle
	}
	if err != nil {
		return reports.Bundle{}, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return bundle, found, nil
}

// resemblesBundle tells a broken bundle from what never was one.
func resemblesBundle(found []reports.Problem) bool {
	missing := 0
	for _, p := range found {
		switch p.Code {
		case reports.NotADirectory, reports.LinkedDirectory, reports.TooManyFiles:
			return false
		case reports.MissingFile:
			missing++
		}
	}
	return missing < 4 // all of them
}

// rejudge recomputes every verdict from the observations beside it.
func rejudge(e reports.Evidence) []string {
	var problems []string
	for i, t := range e.Trials {
		if !reflect.DeepEqual(judge(t), t) {
			problems = append(problems, fmt.Sprintf("%s (/trials/%d): its verdict does not follow from its observations", t.ID, i))
		}
		for _, h := range t.Hearings {
			if h.PilotsHeard > 0 && waits(channel.Sink(h.Sink)) && (h.Units == 0 || h.Bytes == 0) {
				problems = append(problems, fmt.Sprintf("%s (/trials/%d): pilots were heard at %s in nothing that was read", t.ID, i, h.Sink))
			}
		}
	}
	return problems
}

// waits reports whether the observer at a sink reads what arrives and counts
// it, pilots included. Others look, and may find nothing but pilots.
func waits(s channel.Sink) bool {
	return s.Needs() == channel.NeedsNothing || s == channel.SinkFile || s == channel.SinkLog
}

// runsIn counts how often a plan injects each fault: as often as the first.
func runsIn(m reports.Manifest) int {
	runs := 0
	for _, t := range m.Trials {
		if strings.HasPrefix(t.ID, "supervision/"+faults()[0].ID+"/") {
			runs++
		}
	}
	return max(1, min(runs, maxRuns))
}

// planOf is the plan that a bundle says it followed.
func planOf(b reports.Bundle) Plan {
	p := Plan{Runs: runsIn(b.Manifest), Tier: tierOf(b.Evidence.Run.Profile), Lack: lacking(b.Evidence.Environment.CompatCalls != no), Unsandboxed: b.Evidence.Environment.Sandbox != sandboxWord(true)}
	if b.Evidence.Environment.Runtime == BackendBubblewrap {
		p.Backend = BackendBubblewrap
	}
	return p
}

// foreign holds the bundle's plan and registers against those of this build: a
// plan with a mutant left out would otherwise pass.
func foreign(b reports.Bundle) []string {
	var problems []string
	if !reflect.DeepEqual(b.Manifest, manifestOf(b.Manifest.Seed, planOf(b).Specs())) {
		problems = append(problems, fmt.Sprintf("the manifest is not the plan of this version of Postern (%s): verify with the version that made the bundle (%s)", Built(), b.Evidence.Generator))
	}
	want := reports.Complete(reports.Evidence{Channels: registeredChannels(planOf(b)), Trials: b.Evidence.Trials})
	if !slices.Equal(b.Evidence.Channels, want.Channels) {
		problems = append(problems, "the channels are not those of this version of Postern")
	}
	id := func(a, b reports.Control) bool { return a.ID == b.ID && a.Group == b.Group }
	if !slices.EqualFunc(b.Evidence.Controls, registeredControls(planOf(b).Tier), id) {
		problems = append(problems, "the controls are not those of this version of Postern")
	}
	return problems
}
