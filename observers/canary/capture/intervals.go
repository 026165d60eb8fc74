package capture

import "slices"

// intervals yields the times between units, given in nanoseconds: as numbers of
// the usual units of time, and parted into two and four lengths.
func (e *emitter) intervals(times []uint64) {
	if len(times) > unitsMost || len(times) <= viewLeast {
		return
	}
	gaps := make([]uint64, 0, len(times))
	for i := 1; i < len(times); i++ {
		if times[i] < times[i-1] {
			return
		}
		gaps = append(gaps, times[i]-times[i-1])
	}
	for _, levels := range []int{2, 4} {
		e.packed(ranks(clusters(gaps, levels), upTo(levels)), levels/2)
	}
	for _, unit := range []uint64{1e3, 1e4, 1e5, 1e6, 1e7, 1e8} {
		out := make([]uint64, len(gaps))
		for i, g := range gaps {
			out[i] = (g + unit/2) / unit
		}
		if most := slices.Max(out); most > 0 && most < 1<<16 {
			e.numbers(2, out)
		}
	}
}

func upTo(levels int) []uint64 {
	out := make([]uint64, levels)
	for i := range out {
		out[i] = uint64(i)
	}
	return out
}

// clusters says for each number between which of the widest gaps it lies.
func clusters(v []uint64, levels int) []uint64 {
	sorted := slices.Clone(v)
	slices.Sort(sorted)
	type step struct{ size, at uint64 }
	var steps []step
	for i := 1; i < len(sorted); i++ {
		steps = append(steps, step{sorted[i] - sorted[i-1], sorted[i]})
	}
	slices.SortFunc(steps, func(a, b step) int { return int(b.size>>1) - int(a.size>>1) })
	var cuts []uint64
	for _, s := range steps[:min(len(steps), levels-1)] {
		cuts = append(cuts, s.at)
	}
	slices.Sort(cuts)
	out := make([]uint64, len(v))
	for i, x := range v {
		n, found := slices.BinarySearch(cuts, x)
		if found {
			n++
		}
		out[i] = uint64(n)
	}
	return out
}
