package reports

// Manifest is the whole of manifest.json: the campaign as it was planned. It is
// on disk before the first trial runs, so no result can choose what was
// expected of it; its digest is in the evidence.
type Manifest struct {
	Schema int       `json:"schema"`
	Seed   int64     `json:"seed"`
	Trials []Planned `json:"trials"`
}

// Planned is one trial of the plan.
type Planned struct {
	ID       string   `json:"id"`
	Kind     Kind     `json:"kind"`
	Control  string   `json:"control"`
	Expected Expected `json:"expected"`
}
