package reports

// Manifest is the whole of manifest.json: the campaign as it was planned. It is
// on disk before the first trial runs, so no result can choose what was
// expected of it; its digest is in the evidence.
type Manifest struct {
	Schema int       `json:"schema"`
	Seed   int64     `json:"seed"`
	Trials []Planned `json:"trials"`

	Rules []PlannedRule `json:"rules"`
}

// Planned is one trial of the plan.
type Planned struct {
	ID       string   `json:"id"`
	Kind     Kind     `json:"kind"`
	Control  string   `json:"control"`
	Expected Expected `json:"expected"`

	With     []string `json:"with"`
	Baseline bool     `json:"baseline"`
	Reason   string   `json:"reason"` // why a removal is declared inert; "" for others
}

// planOf is the plan that a trial claims. The reason of a trial that this
// machine could not run is the machine's, and says nothing of the plan.
func planOf(t Trial, declared string) Planned {
	reason := t.Reason
	if t.Outcome == string(NotApplicable) {
		reason = declared
	}
	return Planned{t.ID, t.Kind, t.Control, t.Expected, t.With, t.Baseline, reason}
}
