package ceilings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"postern/gateway/sensitivity"
)

// Class is a kind of traces, left out to see that it is needed.
type Class string

// The classes.
const (
	UnknownSink  Class = "unknown-sink"  // a sink without a ceiling
	UnknownLabel Class = "unknown-label" // a label that the lattice has not, but in another case
	Empty        Class = "empty"         // a session that has seen nothing
	Unsorted     Class = "unsorted"      // a session that sees a label after a higher one
)

// Version is that of the rules by which traces are made.
const Version = 2

// longest is how many labels a session sees at most: two show their order, and
// the third what is remembered of the first.
const longest = 3

// Traces lists all short sessions, with each sink at their end.
func Traces(l sensitivity.Lattice, c sensitivity.Ceilings, without ...Class) []Trace {
	out := func(class Class) bool { return slices.Contains(without, class) }
	labels := slices.Clone(l)
	if !out(UnknownLabel) && len(l) > 0 {
		labels = append(labels, sensitivity.Label(strings.ToUpper(string(l[0]))))
	}
	places := sinks(c)
	if !out(UnknownSink) {
		places = append(places, "postern-other")
	}
	var all []Trace
	var extend func(initial sensitivity.Label, seen []sensitivity.Label)
	extend = func(initial sensitivity.Label, seen []sensitivity.Label) {
		sorted := slices.IsSortedFunc(append([]sensitivity.Label{initial}, seen...), func(a, b sensitivity.Label) int { return l.Rank(a) - l.Rank(b) })
		if !(out(Empty) && len(seen) == 0) && !(out(Unsorted) && !sorted) {
			for _, sink := range places {
				all = append(all, Trace{initial, slices.Clone(seen), sink})
			}
		}
		if len(seen) < longest {
			for _, next := range labels {
				extend(initial, append(slices.Clone(seen), next))
			}
		}
	}
	for _, initial := range labels {
		extend(initial, nil)
	}
	return all
}

// Status is what became of a mutant.
type Status string

// The statuses.
const (
	Killed     Status = "killed"
	Equivalent Status = "equivalent" // over all traces
)

// Verdict is what became of one mutant.
type Verdict struct {
	Mutant  string
	Status  Status
	Widens  int // how many calls it admits that the gateway denies: leaks
	Narrows int // how many it denies that the gateway admits
	Witness Trace
	Partner string // of an equivalent mutant: one with which together a decision changes that neither changes alone; "" if there is none
	Proof   Proof
}

// Proof is what is needed to compare again.
type Proof struct {
	Generator int
	Traces    int
	Domain    string // SHA-256 of the traces
	Original  string // SHA-256 of all decisions
	Mutant    string
}

// Run compares all mutants with the gateway. The first call that a mutant
// admits too many is its witness, or else the first that it denies.
func Run(l sensitivity.Lattice, c sensitivity.Ceilings) []Verdict {
	return compare(l, c, Mutants(l, c))
}

func compare(l sensitivity.Lattice, c sensitivity.Ceilings, mutants []Mutant, without ...Class) []Verdict {
	traces := Traces(l, c, without...)
	original := plain(l, c)
	before := decisions(original, traces)
	domain := sha256.New()
	for _, t := range traces {
		fmt.Fprintf(domain, "%q %q %q\n", t.Initial, t.Seen, t.Sink)
	}
	proof := Proof{Generator: Version, Traces: len(traces), Domain: hex.EncodeToString(domain.Sum(nil)), Original: digest(before)}
	var out []Verdict
	for _, m := range mutants {
		after := decisions(m.Of(l, c), traces)
		v := Verdict{Mutant: m.ID, Status: Equivalent, Proof: proof}
		v.Proof.Mutant = digest(after)
		for i := range traces {
			switch {
			case after[i] && !before[i]:
				if v.Widens++; v.Widens == 1 {
					v.Witness = traces[i]
				}
			case before[i] && !after[i]:
				if v.Narrows++; v.Narrows+v.Widens == 1 {
					v.Witness = traces[i]
				}
			}
		}
		if v.Widens+v.Narrows > 0 {
			v.Status = Killed
		} else {
			v.Partner = partner(l, c, m, traces, before)
		}
		out = append(out, v)
	}
	return out
}

// partner finds a mutant with which together another changes a decision that
// neither changes alone. It looks at short sessions, of which there are few.
func partner(l sensitivity.Lattice, c sensitivity.Ceilings, m Mutant, traces []Trace, before []bool) string {
	for _, other := range Mutants(l, c) {
		if other.ID == m.ID {
			continue
		}
		alone, both := other.Of(l, c), Both(l, c, m, other)
		for i, t := range traces {
			if len(t.Seen) < 2 && both.Admits(t) != before[i] && alone.Admits(t) == before[i] {
				return other.ID
			}
		}
	}
	return ""
}

// Both are the rules with two changes.
func Both(l sensitivity.Lattice, c sensitivity.Ceilings, a, b Mutant) Rules {
	r := a.Of(l, c)
	b.Edit(&r)
	return r
}

func decisions(r Rules, traces []Trace) []bool {
	out := make([]bool, len(traces))
	for i, t := range traces {
		out[i] = r.Admits(t)
	}
	return out
}

func digest(decisions []bool) string {
	h := sha256.New()
	for _, d := range decisions {
		if d {
			h.Write([]byte{1})
		} else {
			h.Write([]byte{0})
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
