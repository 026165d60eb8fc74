package reports

import (
	"bytes"
	"reflect"
	"slices"
)

// inspect is Open without the disk: it judges the bytes of the four files.
func inspect(s schemas, files map[string][]byte) (Bundle, []Problem) {
	problems := checkSums(files)
	if old := otherVersion(files); old != nil {
		return Bundle{}, append(problems, old...)
	}
	evidence, bad := decode[Evidence](evidenceFile, files[evidenceFile])
	problems = append(problems, bad...)
	manifest, worse := decode[Manifest](manifestFile, files[manifestFile])
	problems = append(problems, worse...)
	for _, name := range bundleFiles() {
		problems = append(problems, Shapes(name, files[name])...)
	}
	if len(bad)+len(worse) > 0 {
		return Bundle{}, problems
	}
	outside := append(validate(s.evidence, evidenceFile, files[evidenceFile]),
		validate(s.manifest, manifestFile, files[manifestFile])...)
	if len(outside) > 0 {
		return Bundle{}, append(problems, outside...)
	}
	if digest(files[manifestFile]) != evidence.ManifestSHA256 {
		problems = append(problems, Problem{Code: ManifestMismatch, File: evidenceFile, At: "/manifest_sha256"})
	}
	problems = append(problems, repeats(evidence, manifest)...)
	problems = append(problems, unlisted(evidence)...)
	problems = append(problems, unplanned(evidence, manifest)...)
	problems = append(problems, unplannedRules(evidence, manifest)...)
	problems = append(problems, miscounted(evidence, manifest)...)
	view, err := junit(evidence)
	if err != nil || !bytes.Equal(view, files[junitFile]) {
		problems = append(problems, Problem{Code: ViewMismatch, File: junitFile})
	}
	return Bundle{evidence, manifest, digest(files[evidenceFile])}, problems
}

// unplanned compares the trials with the plan: each planned, each as planned,
// in the order of the plan, and all of them where all were selected.
func unplanned(e Evidence, m Manifest) []Problem {
	var problems []Problem
	if e.Run.Seed != m.Seed {
		problems = append(problems, Problem{SeedMismatch, evidenceFile, "/run/seed"})
	}
	place := map[string]int{}
	for i, p := range m.Trials {
		place[p.ID] = i
	}
	ran := make([]bool, len(m.Trials))
	last := -1
	for i, t := range e.Trials {
		at, planned := place[t.ID]
		if !planned {
			problems = append(problems, Problem{UnplannedTrial, evidenceFile, pointer("trials", i)})
			continue
		}
		if at <= last {
			problems = append(problems, Problem{OutOfOrder, evidenceFile, pointer("trials", i)})
		}
		last, ran[at] = at, true
		if !reflect.DeepEqual(m.Trials[at], planOf(t, m.Trials[at].Reason)) {
			problems = append(problems, Problem{PlanMismatch, evidenceFile, pointer("trials", i)})
		}
	}
	if e.Run.Planned == e.Run.Selected {
		for i := range ran {
			if !ran[i] {
				problems = append(problems, Problem{UnrunTrial, manifestFile, pointer("trials", i)})
			}
		}
	}
	return problems
}

// miscounted compares every number that follows from others with what follows.
func miscounted(e Evidence, m Manifest) []Problem {
	want := Complete(e)
	var problems []Problem
	differ := func(same bool, parts ...any) {
		if !same {
			problems = append(problems, Problem{CountMismatch, evidenceFile, pointer(parts...)})
		}
	}
	differ(e.Run.Planned == len(m.Trials), "run", "planned")
	differ(e.Run.Selected == len(e.Trials), "run", "selected")
	differ(e.Run.Rules == len(m.Rules), "run", "rules")
	differ(e.Run.Shard <= e.Run.Shards && (e.Run.Shards == 1 || e.Run.Selected < e.Run.Planned), "run", "shards")
	for i, c := range want.Channels {
		differ(e.Channels[i].OpenedBy == c.OpenedBy, "channels", i, "opened_by")
		differ(e.Channels[i].NotApplicable == c.NotApplicable, "channels", i, "not_applicable")
	}
	for i, c := range want.Controls {
		differ(e.Controls[i].Mutants == c.Mutants, "controls", i, "mutants")
		differ(e.Controls[i].Killed == c.Killed, "controls", i, "killed")
		differ(e.Controls[i].Standing == c.Standing, "controls", i, "standing")
		differ(slices.Equal(e.Controls[i].Partners, c.Partners), "controls", i, "partners")
		differ(e.Controls[i].Reason == c.Reason, "controls", i, "reason")
	}
	differ(len(e.Faults) == len(want.Faults), "faults")
	for i := range min(len(e.Faults), len(want.Faults)) {
		differ(e.Faults[i] == want.Faults[i], "faults", i)
	}
	differ(len(e.Matrix) == len(want.Matrix), "matrix")
	for i := range min(len(e.Matrix), len(want.Matrix)) {
		differ(e.Matrix[i] == want.Matrix[i], "matrix", i)
	}
	for i, r := range e.Residuals {
		differ(r == want.Residuals[i] && r.consistent(), "residuals", i)
	}
	got, sum := e.Summary, want.Summary
	differ(got.Mutants == sum.Mutants, "summary", "mutants")
	differ(got.Protected == sum.Protected, "summary", "protected")
	differ(got.FailureModes == sum.FailureModes, "summary", "failure_modes")
	differ(got.Supervision == sum.Supervision, "summary", "supervision")
	differ(got.Rules == sum.Rules, "summary", "rules")
	sum.Mutants, sum.Protected, sum.FailureModes, sum.Supervision, sum.Rules = got.Mutants, got.Protected, got.FailureModes, got.Supervision, got.Rules
	differ(got == sum, "summary")
	return problems
}
