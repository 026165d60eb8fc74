package ceilings

import (
	"maps"
	"slices"

	"postern/gateway/sensitivity"
)

// Mutant is one change of the rules.
type Mutant struct {
	ID   string // permanent
	Why  string
	Edit func(*Rules)
}

// Of is the rules with the change.
func (m Mutant) Of(l sensitivity.Lattice, c sensitivity.Ceilings) Rules {
	r := plain(l, c)
	m.Edit(&r)
	return r
}

// Mutants lists all mutants of a configuration, in a fixed order.
func Mutants(l sensitivity.Lattice, c sensitivity.Ceilings) []Mutant {
	return slices.Concat(levels(l, c), swaps(c), orders(l), comparisons(), joins(), unknown(l))
}

// plain are the rules of the gateway.
func plain(l sensitivity.Lattice, c sensitivity.Ceilings) Rules {
	return Rules{Lattice: slices.Clone(l), Ceilings: maps.Clone(c)}
}

func sinks(c sensitivity.Ceilings) []string { return slices.Sorted(maps.Keys(c)) }

// levels moves each ceiling. One that would be where it is is none.
func levels(l sensitivity.Lattice, c sensitivity.Ceilings) []Mutant {
	var out []Mutant
	for _, sink := range sinks(c) {
		rank := l.Rank(c[sink])
		done := map[int]bool{rank: true, 0: true}
		for _, m := range []struct {
			name, why string
			rank      int
		}{
			{"raised", "is one level higher", min(rank+1, len(l))},
			{"lowered", "is one level lower", rank - 1},
			{"top", "is the highest level", len(l)},
			{"bottom", "is the lowest level", 1},
		} {
			if done[m.rank] {
				continue
			}
			done[m.rank] = true
			level := l[m.rank-1]
			out = append(out, Mutant{"ceiling/" + sink + "/" + m.name, "the ceiling of a sink " + m.why, func(r *Rules) { r.Ceilings[sink] = level }})
		}
		out = append(out, Mutant{"ceiling/" + sink + "/dropped", "a sink has no ceiling", func(r *Rules) { delete(r.Ceilings, sink) }})
	}
	return out
}

// swaps exchanges the ceilings of each two sinks that differ.
func swaps(c sensitivity.Ceilings) []Mutant {
	var out []Mutant
	all := sinks(c)
	for i, a := range all {
		for _, b := range all[:i] {
			if c[a] == c[b] {
				continue
			}
			out = append(out, Mutant{"ceiling/" + b + "/swapped-with/" + a, "two sinks have each other's ceiling", func(r *Rules) {
				r.Ceilings[a], r.Ceilings[b] = r.Ceilings[b], r.Ceilings[a]
			}})
		}
	}
	return out
}

// orders exchanges neighbours of the lattice, and takes them for one level.
func orders(l sensitivity.Lattice) []Mutant {
	var out []Mutant
	for i := range max(len(l)-1, 0) {
		name, high := string(l[i])+"-"+string(l[i+1]), l[i+1]
		out = append(out,
			Mutant{"lattice/" + name + "/swapped", "two neighbouring labels are in the wrong order", func(r *Rules) {
				r.Lattice[i], r.Lattice[i+1] = r.Lattice[i+1], r.Lattice[i]
			}},
			Mutant{"lattice/" + name + "/collapsed", "a label is taken for the one below it", func(r *Rules) { r.Weak.Collapsed = high }})
	}
	return out
}

func comparisons() []Mutant {
	return []Mutant{
		{"compare/less", "a label must be below the ceiling", func(r *Rules) { r.Weak.Below = true }},
		{"compare/equal", "a label must be the ceiling", func(r *Rules) { r.Weak.Same = true }},
		{"compare/at-least", "a label must not be below the ceiling", func(r *Rules) { r.Weak.NotBelow = true }},
		{"compare/always", "every label may go to a sink with a ceiling", func(r *Rules) { r.Weak.Always = true }},
		{"compare/never", "no label may go anywhere", func(r *Rules) { r.Weak.Never = true }},
		{"compare/unchecked-ranks", "an unknown label has rank 0 and stands below all", func(r *Rules) { r.Weak.Unranked = true }},
	}
}

// joins replaces how a session's label rises.
func joins() []Mutant {
	return []Mutant{
		{"join/min", "a session has the lowest label that it saw", func(r *Rules) { r.Weak.JoinLowest = true }},
		{"join/first", "a session keeps its first label", func(r *Rules) { r.Weak.JoinFirst = true }},
		{"join/last", "a session has the label that it saw last", func(r *Rules) { r.Weak.JoinLast = true }},
		{"join/sum", "a session's label rises with every label", func(r *Rules) { r.Weak.JoinSum = true }},
		{"join/forgets-initial", "a session forgets where it began", func(r *Rules) { r.Weak.ForgetsInitial = true }},
		{"join/empty-top", "a session that saw nothing has the highest label", func(r *Rules) { r.Weak.EmptyTop = true }},
		{"join/empty-bottom", "a session that saw nothing has the lowest label", func(r *Rules) { r.Weak.EmptyBottom = true }},
	}
}

// unknown gives meaning to what has none.
func unknown(l sensitivity.Lattice) []Mutant {
	if len(l) == 0 {
		return nil
	}
	lowest, highest := l[0], l[len(l)-1]
	return []Mutant{
		{"unknown/sink-bottom", "a sink without a ceiling takes the lowest level", func(r *Rules) { r.Otherwise = lowest }},
		{"unknown/sink-top", "a sink without a ceiling takes everything", func(r *Rules) { r.Otherwise = highest }},
		{"unknown/sink-open", "a sink without a ceiling is not compared with any", func(r *Rules) { r.Weak.NoCeiling = true }},
		{"unknown/label-bottom", "an unknown label is taken for the lowest", func(r *Rules) { r.Weak.UnknownLowest = true }},
		{"unknown/label-folded", "a label is taken in any case", func(r *Rules) { r.Weak.Folded = true }},
		{"unknown/label-kept", "a session may have an unknown label", func(r *Rules) { r.Weak.UnknownKept = true }},
	}
}
