package level2

import (
	"bytes"
	_ "embed" // for what is accepted
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"postern/mutants/cedar/load"
)

// accepted is a list of what nothing depends on and may stay all the same: with
// the mutant, its digest, the reason, the author's role, and the date. There is
// nothing to accept while it is empty.
//
//go:embed accepted.json
var accepted []byte

// accept marks the dead rows that may stay.
func accept(rows []Row) error { return acceptIn(rows, accepted) }

func acceptIn(rows []Row, text []byte) error {
	var list []load.Acceptance
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(&list) != nil || d.More() {
		return errors.New("accepted.json is no list of objects with mutant, digest, reason, author and date")
	}
	for i, a := range list {
		_, err := time.Parse(time.DateOnly, a.Date)
		at := slices.IndexFunc(rows, func(r Row) bool { return r.Mutant == a.Mutant })
		what := ""
		switch {
		case a.Reason == "" || a.Author == "" || err != nil:
			what = "does not say why, who and when"
		case at < 0:
			what = "is of a mutant that is none"
		case rows[at].Digest != a.Digest:
			what = "is of another mutant of that name: look at it again"
		case !rows[at].Dead:
			what = "is of a mutant on which something depends"
		}
		if what != "" {
			return fmt.Errorf("accepted.json: entry %d %s", i+1, what)
		}
		rows[at].Status, rows[at].Reason = Equivalent, Accepted
	}
	return nil
}
