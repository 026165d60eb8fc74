package load

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Acceptance says why a mutant that nothing kills, or a part on which nothing
// depends, may stay.
type Acceptance struct {
	Mutant string `json:"mutant"` // its id
	Digest string `json:"digest"` // its digest: another policy, or another mutant, is not accepted
	Reason string `json:"reason"`
	Author string `json:"author"` // a role, not a name: who answers for it
	Date   string `json:"date"`   // the day on which it was accepted, 2006-01-02
}

// Accepted reads a list of acceptances.
func Accepted(path string) ([]Acceptance, error) {
	b, err := read(path)
	if err != nil {
		return nil, err
	}
	if p := nested(path, b); p != nil {
		return nil, p
	}
	const form = "this is no list of objects with mutant, digest, reason, author and date"
	var out []Acceptance
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil || d.More() {
		return nil, &Problem{path, lineAt(b, err), form}
	}
	_, lines, err := elements(b)
	if err != nil {
		return nil, &Problem{path, 0, form}
	}
	for i, a := range out {
		what := ""
		_, err := time.Parse(time.DateOnly, a.Date)
		switch {
		case a.Mutant == "" || a.Digest == "" || strings.TrimSpace(a.Reason) == "" || strings.TrimSpace(a.Author) == "":
			what = "mutant, digest, reason and author must be said"
		case err != nil:
			what = "date must be written as 2006-01-02"
		case slices.ContainsFunc(out[:i], func(b Acceptance) bool { return b.Mutant == a.Mutant }):
			what = "its mutant stands there twice"
		}
		if what != "" {
			return nil, &Problem{path, lines[i], fmt.Sprintf("acceptance %d: %s", i+1, what)}
		}
	}
	return out, nil
}
