package reports

import "slices"

// tallyControls counts the mutants of each control and says what they show.
func tallyControls(controls []Control, trials []Trial, rules []Rule) []Control {
	of := map[string][]Trial{}
	for _, t := range trials {
		if t.Kind == Mutant {
			for _, id := range distinct(t.weakened()) {
				of[id] = append(of[id], t)
			}
		}
	}
	tallied := slices.Clone(controls)
	for i := range tallied {
		tallied[i] = stand(tallied[i], of[tallied[i].ID], trials).ruled(rules)
	}
	return tallied
}

// stand judges one control by the mutants that weaken it.
func stand(c Control, own, all []Trial) Control {
	c = Control{ID: c.ID, Group: c.Group, Mutants: len(own), Standing: Unproved, Partners: []string{}}
	alone := false
	for _, t := range own {
		if t.Status != Killed {
			continue
		}
		c.Killed++
		if len(t.With) == 0 {
			alone = true
		} else if contributes(c.ID, t, all) {
			c.Partners = append(c.Partners, t.weakened()...)
		}
	}
	c.Partners = append([]string{}, distinct(slices.DeleteFunc(c.Partners, func(id string) bool { return id == c.ID }))...)
	switch {
	case alone:
		c.Standing = LoadBearing
	case len(c.Partners) > 0:
		c.Standing = Redundant
	case inert(c.ID, own):
		c.Standing = Inert
		c.Reason = reasonOf(own, Equivalent, c.ID)
	case inapplicable(own):
		c.Standing = Inapplicable
		c.Reason = reasonOf(own, NotApplicable, "")
	}
	return c
}

// contributes reports whether a killed mutant of several controls proves
// anything of this one: not where a mutant of some of the others, without it,
// opens all the same channels.
func contributes(control string, pair Trial, all []Trial) bool {
	return !slices.ContainsFunc(all, func(t Trial) bool {
		return t.Kind == Mutant && t.Status == Killed && !slices.Contains(t.weakened(), control) &&
			within(t.weakened(), pair.weakened()) && within(pair.Openings, t.Openings)
	})
}

func within(some, all []string) bool {
	return !slices.ContainsFunc(some, func(id string) bool { return !slices.Contains(all, id) })
}

// inert reports whether every mutant of the control alone, and every one that
// compares it with a partner's openings, changed nothing; the plan must declare
// why. Those that this machine cannot run say nothing either way.
func inert(control string, own []Trial) bool {
	singles := 0
	for _, t := range own {
		single := len(t.With) == 0
		if !single && !(t.Baseline && t.Control == control) || t.Status == NotApplicable {
			continue
		}
		if t.Status != Equivalent {
			return false
		}
		if single {
			singles++
		}
	}
	return singles > 0 && reasonOf(own, Equivalent, control) != ""
}

func inapplicable(own []Trial) bool {
	return reasonOf(own, NotApplicable, "") != "" &&
		!slices.ContainsFunc(own, func(t Trial) bool { return t.Status != NotApplicable || t.Reason == "" })
}

// reasonOf is the first reason of the mutants with a status; where a control is
// given, of those that weaken it first.
func reasonOf(trials []Trial, status Status, control string) string {
	for _, t := range trials {
		if t.Status == status && t.Reason != "" && (control == "" || t.Control == control) {
			return t.Reason
		}
	}
	return ""
}
