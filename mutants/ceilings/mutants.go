package ceilings

import (
	"maps"
	"slices"

	"postern/gateway/sensitivity"
)

// Mutant is rules with one change.
type Mutant struct {
	ID    string // permanent
	Why   string
	Rules Rules
}

// Mutants lists all mutants of a configuration, in a fixed order.
func Mutants(l sensitivity.Lattice, c sensitivity.Ceilings) []Mutant {
	return slices.Concat(levels(l, c), swaps(l, c), orders(l, c), comparisons(l, c), joins(l, c), unknown(l, c))
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
			r := plain(l, c)
			r.Ceilings[sink] = l[m.rank-1]
			out = append(out, Mutant{"ceiling/" + sink + "/" + m.name, "the ceiling of a sink " + m.why, r})
		}
		r := plain(l, c)
		delete(r.Ceilings, sink)
		out = append(out, Mutant{"ceiling/" + sink + "/dropped", "a sink has no ceiling", r})
	}
	return out
}

// swaps exchanges the ceilings of each two sinks that differ.
func swaps(l sensitivity.Lattice, c sensitivity.Ceilings) []Mutant {
	var out []Mutant
	all := sinks(c)
	for i, a := range all {
		for _, b := range all[:i] {
			if c[a] == c[b] {
				continue
			}
			r := plain(l, c)
			r.Ceilings[a], r.Ceilings[b] = c[b], c[a]
			out = append(out, Mutant{"ceiling/" + b + "/swapped-with/" + a, "two sinks have each other's ceiling", r})
		}
	}
	return out
}

// orders exchanges neighbours of the lattice, and takes them for one level.
func orders(l sensitivity.Lattice, c sensitivity.Ceilings) []Mutant {
	var out []Mutant
	for i := range len(l) - 1 {
		swapped := plain(l, c)
		swapped.Lattice[i], swapped.Lattice[i+1] = l[i+1], l[i]
		low, high := l[i], l[i+1]
		collapsed := plain(l, c)
		collapsed.Read = func(label sensitivity.Label) sensitivity.Label {
			if label == high {
				return low
			}
			return label
		}
		name := string(low) + "-" + string(high)
		out = append(out,
			Mutant{"lattice/" + name + "/swapped", "two neighbouring labels are in the wrong order", swapped},
			Mutant{"lattice/" + name + "/collapsed", "a label is taken for the one below it", collapsed})
	}
	return out
}

func comparisons(l sensitivity.Lattice, c sensitivity.Ceilings) []Mutant {
	var out []Mutant
	for _, m := range []struct {
		name, why string
		compare   func(rank, ceiling int) bool
	}{
		{"less", "a label must be below the ceiling", func(r, c int) bool { return r > 0 && c > 0 && r < c }},
		{"equal", "a label must be the ceiling", func(r, c int) bool { return r > 0 && c > 0 && r == c }},
		{"at-least", "a label must not be below the ceiling", func(r, c int) bool { return r > 0 && c > 0 && r >= c }},
		{"always", "every label may go to a sink with a ceiling", func(int, int) bool { return true }},
		{"never", "no label may go anywhere", func(int, int) bool { return false }},
		{"unchecked-ranks", "an unknown label has rank 0 and stands below all", func(r, c int) bool { return r <= c }},
	} {
		r := plain(l, c)
		r.Compare = m.compare
		out = append(out, Mutant{"compare/" + m.name, m.why, r})
	}
	return out
}

// joins replaces how a session's label rises.
func joins(l sensitivity.Lattice, c sensitivity.Ceilings) []Mutant {
	rank := l.Rank
	var out []Mutant
	for _, m := range []struct {
		name, why string
		join      func(initial sensitivity.Label, seen []sensitivity.Label) sensitivity.Label
	}{
		{"min", "a session has the lowest label that it saw", func(initial sensitivity.Label, seen []sensitivity.Label) sensitivity.Label {
			return l[slices.Min(ranks(rank, initial, seen))-1]
		}},
		{"first", "a session keeps its first label", func(initial sensitivity.Label, _ []sensitivity.Label) sensitivity.Label { return initial }},
		{"last", "a session has the label that it saw last", func(initial sensitivity.Label, seen []sensitivity.Label) sensitivity.Label {
			return append([]sensitivity.Label{initial}, seen...)[len(seen)]
		}},
		{"sum", "a session's label rises with every label", func(initial sensitivity.Label, seen []sensitivity.Label) sensitivity.Label {
			sum := 0
			for _, r := range ranks(rank, initial, seen) {
				sum += r
			}
			return l[min(sum, len(l))-1]
		}},
		{"forgets-initial", "a session forgets where it began", func(initial sensitivity.Label, seen []sensitivity.Label) sensitivity.Label {
			if len(seen) == 0 {
				return initial
			}
			return l[slices.Max(ranks(rank, seen[0], seen))-1]
		}},
	} {
		r := plain(l, c)
		r.Join = m.join
		out = append(out, Mutant{"join/" + m.name, m.why, r})
	}
	if len(l) > 0 {
		top, bottom := plain(l, c), plain(l, c)
		top.Begin = func(sensitivity.Label) sensitivity.Label { return l[len(l)-1] }
		bottom.Begin = func(sensitivity.Label) sensitivity.Label { return l[0] }
		out = append(out,
			Mutant{"join/empty-top", "a session that saw nothing has the highest label", top},
			Mutant{"join/empty-bottom", "a session that saw nothing has the lowest label", bottom})
	}
	return out
}

func ranks(rank func(sensitivity.Label) int, initial sensitivity.Label, seen []sensitivity.Label) []int {
	out := []int{rank(initial)}
	for _, l := range seen {
		out = append(out, rank(l))
	}
	return out
}

// unknown gives meaning to what has none.
func unknown(l sensitivity.Lattice, c sensitivity.Ceilings) []Mutant {
	if len(l) == 0 {
		return nil
	}
	sinkBottom, sinkTop, label := plain(l, c), plain(l, c), plain(l, c)
	sinkBottom.Otherwise, sinkTop.Otherwise = l[0], l[len(l)-1]
	label.Read = func(x sensitivity.Label) sensitivity.Label {
		if l.Rank(x) == 0 {
			return l[0]
		}
		return x
	}
	return []Mutant{
		{"unknown/sink-bottom", "a sink without a ceiling takes the lowest level", sinkBottom},
		{"unknown/sink-top", "a sink without a ceiling takes everything", sinkTop},
		{"unknown/label-bottom", "an unknown label is taken for the lowest", label},
	}
}
