package reports

import "slices"

// unlisted finds ids that the evidence's own lists lack. What admission
// refused for is left to the harness: it may name a control that none registered.
func unlisted(e Evidence) []Problem {
	channels, controls := map[string]bool{}, map[string]bool{}
	for _, c := range e.Channels {
		channels[c.ID] = true
	}
	for _, c := range e.Controls {
		controls[c.ID] = true
	}
	var problems []Problem
	need := func(known bool, code Code, parts ...any) {
		if !known {
			problems = append(problems, Problem{code, evidenceFile, pointer(parts...)})
		}
	}
	for i, t := range e.Trials {
		need(t.Control == "" || controls[t.Control], UnlistedControl, "trials", i, "control")
		for j, id := range t.With {
			need(controls[id], UnlistedControl, "trials", i, "with", j)
		}
		for j, id := range t.Expected.Refused {
			need(controls[id], UnlistedControl, "trials", i, "expected", "refused", j)
		}
		for j, id := range t.Expected.Probes {
			need(channels[id], UnlistedChannel, "trials", i, "expected", "probes", j)
		}
		for j, id := range t.Expected.Opens {
			need(channels[id], UnlistedChannel, "trials", i, "expected", "opens", j)
		}
		for j, a := range t.Attempts {
			need(channels[a.Channel], UnlistedChannel, "trials", i, "attempts", j)
		}
		for j, o := range t.Observations {
			need(channels[o.Channel], UnlistedChannel, "trials", i, "observations", j)
		}
		for j, id := range t.Openings {
			need(id == Stray || channels[id], UnlistedChannel, "trials", i, "openings", j)
		}
	}
	for i, r := range e.Rules.Mutants {
		need(controls[r.Control], UnlistedControl, "rules", "mutants", i, "control")
	}
	return problems
}

// repeats finds entries that occur twice where each must be the only one: a
// second row could say the opposite of the first.
func repeats(e Evidence, m Manifest) []Problem {
	var problems []Problem
	problems = append(problems, repeated(evidenceFile, e.Channels, func(c Channel) string { return c.ID }, "channels")...)
	problems = append(problems, repeated(evidenceFile, e.Controls, func(c Control) string { return c.ID }, "controls")...)
	problems = append(problems, repeated(evidenceFile, e.Residuals, Residual.key, "residuals")...)
	problems = append(problems, repeated(evidenceFile, e.Trials, func(t Trial) string { return t.ID }, "trials")...)
	problems = append(problems, repeated(manifestFile, m.Trials, func(p Planned) string { return p.ID }, "trials")...)
	problems = append(problems, repeated(evidenceFile, e.Rules.Mutants, func(r Rule) string { return r.Mutant }, "rules", "mutants")...)
	problems = append(problems, repeated(manifestFile, m.Rules, func(r PlannedRule) string { return r.Mutant }, "rules")...)
	for i, t := range e.Trials {
		problems = append(problems, slices.Concat(
			repeated(evidenceFile, t.Refused, func(r Refusal) Refusal { return r }, "trials", i, "refused"),
			repeated(evidenceFile, t.Hearings, func(h Hearing) string { return h.Sink }, "trials", i, "hearings"),
			repeated(evidenceFile, t.Observations, func(o Observation) [2]string { return [2]string{o.Channel, o.Sink} }, "trials", i, "observations"),
			repeated(evidenceFile, t.Attempts, func(a Attempt) string { return a.Channel }, "trials", i, "attempts"),
		)...)
	}
	return problems
}

func repeated[T any, K comparable](file string, entries []T, key func(T) K, parts ...any) []Problem {
	seen := make(map[K]bool, len(entries))
	var problems []Problem
	for i, entry := range entries {
		if seen[key(entry)] {
			problems = append(problems, Problem{RepeatedEntry, file, pointer(append(slices.Clone(parts), i)...)})
		}
		seen[key(entry)] = true
	}
	return problems
}
