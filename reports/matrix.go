package reports

import (
	"cmp"
	"slices"
)

// Kill is one cell of the kill matrix: how many killed mutants that weaken the
// control opened the channel. A mutant that weakens several counts for each.
type Kill struct {
	Control string `json:"control"`
	Channel string `json:"channel"`
	Kills   int    `json:"kills"` // > 0
}

// tallyMatrix counts the cells, sorted by control and channel. Cells without a
// kill are left out.
func tallyMatrix(trials []Trial) []Kill {
	kills := map[[2]string]int{}
	for _, t := range trials {
		if t.Kind != Mutant || t.Status != Killed {
			continue
		}
		for _, control := range distinct(t.weakened()) {
			for _, channel := range distinct(t.Openings) {
				kills[[2]string{control, channel}]++
			}
		}
	}
	rows := make([]Kill, 0, len(kills))
	for cell, n := range kills {
		rows = append(rows, Kill{cell[0], cell[1], n})
	}
	slices.SortFunc(rows, func(a, b Kill) int {
		return cmp.Or(cmp.Compare(a.Control, b.Control), cmp.Compare(a.Channel, b.Channel))
	})
	return rows
}
