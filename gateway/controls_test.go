package gateway

import (
	"slices"
	"testing"

	"postern/gateway/confine"
)

// Redundancy is looked for within groups: a control in none would be left out.
func TestEveryControlHasAGroup(t *testing.T) {
	seen := map[confine.Control]bool{}
	for _, c := range Controls() {
		if !slices.Contains(confine.Groups(), c.Group) || seen[c.ID] {
			t.Errorf("%s: group %q is none of the closed words, or it is listed twice", c.ID, c.Group)
		}
		seen[c.ID] = true
	}
}
