package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/guard"
)

// guardTable lists the mutants of the spawn-decision table: of each row that
// refuses or confines one that lets the server run unconfined, and of each that
// lets it run one that does so too early. All that a server may try succeeds then.
func guardTable() []Mutant {
	var everything []channel.ID
	for _, c := range channel.Guarded() {
		everything = append(everything, c.ID)
	}
	slices.Sort(everything)
	accepted := func(id, why, under string, change func(guard.Table) guard.Table) Mutant {
		return Mutant{
			ID: "guard/" + id, Why: why, Weakens: gateway.GuardTable, Under: "guard/" + under, Needs: []Need{NeedSandbox}, Opens: everything,
			Apply: func(c *gateway.Config, _ Site) { c.Upstream.Guard.Table = change(guard.Reference()) },
		}
	}
	return []Mutant{
		accepted("original-accepted", "a command that was changed after it was enrolled is run", "original-changed", lets(guard.Refuse, guard.OriginalChanged)),
		accepted("malformed-accepted", "a profile hash that is none is let pass", "malformed", lets(guard.Refuse, guard.MarkerMalformed)),
		accepted("mismatch-accepted", "a stored profile that is not the enrolled one is let pass", "mismatched", lets(guard.Refuse, guard.MarkerMismatched)),
		accepted("stripped-accepted", "a marker that is gone is let pass, though the profile is required", "stripped", lets(guard.Refuse, guard.MarkerStripped)),
		accepted("wiped-accepted", "a store that is gone is let pass, though the marker requires it", "wiped", lets(guard.Refuse, guard.StoreWiped)),
		accepted("unenrolled-accepted", "a server that was never enrolled is run, though it must be confined", "not-enrolled", lets(guard.Refuse, guard.NotEnrolled)),
		accepted("backend-accepted", "a sandbox that is missing is let pass, though it is required", "backend-missing", lets(guard.Refuse, guard.BackendMissing)),
		accepted("enrolled-unconfined", "a server that is enrolled is run unconfined", "enrolled", lets(guard.Confine, guard.Enrolled)),
		accepted("stripped-unconfined", "a server whose marker is gone is run unconfined, though its profile is there", "stripped-optional", lets(guard.Confine, guard.MarkerStripped)),
		accepted("backend-notice-first", "the row for a missing sandbox does not ask whether it is required", "backend-missing", first(guard.BackendMissing)),
		accepted("wiped-notice-first", "the row for a store that is gone does not ask whether it is required", "wiped", first(guard.StoreWiped)),
		accepted("unenrolled-notice-first", "the row for what was never enrolled does not ask whether it must be confined", "not-enrolled", first(guard.NotEnrolled)),
	}
}

// lets has the row with an action and a reason run the server unconfined.
func lets(a guard.Action, why guard.Reason) func(guard.Table) guard.Table {
	return func(t guard.Table) guard.Table {
		for i, row := range t {
			if row.Action == a && row.Reason == why {
				t[i].Action = guard.Unconfined
			}
		}
		return t
	}
}

// first puts the row that lets the server run for a reason before those that
// refuse it for the same.
func first(why guard.Reason) func(guard.Table) guard.Table {
	return func(t guard.Table) guard.Table {
		i := slices.IndexFunc(t, func(r guard.Row) bool { return r.Action == guard.Unconfined && r.Reason == why })
		row := t[i]
		return append(guard.Table{row}, slices.Delete(t, i, i+1)...)
	}
}
