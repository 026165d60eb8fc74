package level2

import "slices"

// change is what a sample has one of.
type change struct {
	layer    Layer
	operator string
}

// change is by the operator, but where each mutant is an operator of its own and
// what it changes lies behind the decision, out of the way that a call takes from
// the container: there it is by the place where it shows.
func (r Row) change() change {
	switch r.Layer {
	case Asides, Commitments, Rows, Spans, Log:
		if len(r.Driven) > 0 {
			return change{r.Layer, string(r.Driven[0].Place)}
		}
	}
	return change{r.Layer, r.Operator}
}

// Sampled is the plan with some witnesses led in a container as well: of each
// change of each layer one mutant that is killed. A number says which, and each
// has its turn.
func (p *Plan) Sampled(seed int64) *Plan {
	out := &Plan{Policies: p.Policies, Labels: p.Labels, Wiring: p.Wiring}
	chosen := p.sample(seed)
	for i, row := range p.Rows {
		row.Driven = slices.Clone(row.Driven)
		witnesses := slices.Clone(p.witnesses[i])
		if chosen[i] {
			contained := row.Driven[0]
			contained.Contained = true
			row.Driven, witnesses = append(row.Driven, contained), append(witnesses, witnesses[0])
		}
		out.Rows, out.witnesses = append(out.Rows, row), append(out.witnesses, witnesses)
	}
	return out
}

// sample is which rows a number chooses.
func (p *Plan) sample(seed int64) map[int]bool {
	rows := map[change][]int{}
	for i, row := range p.Rows {
		if row.Status == Killed && !p.witnesses[i][0].asks.around.apart() {
			rows[row.change()] = append(rows[row.change()], i)
		}
	}
	out := map[int]bool{}
	for _, all := range rows {
		out[all[uint64(seed)%uint64(len(all))]] = true
	}
	return out
}
