package mutants

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

func TestMutantsOfACellAreWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^(bubblewrap|ceiling|guard)/[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, m := range Celled() {
		if !form.MatchString(m.ID) || seen[m.ID] || m.Why == "" {
			t.Errorf("%s: an id is its family, a slash, and words, and is given once", m.ID)
		}
		seen[m.ID] = true
		original := subject(confine.TierReference)
		clone := original.Clone()
		if m.Apply(&clone, Sample()); cmp.Equal(original, clone) {
			t.Errorf("%s: Apply changes nothing", m.ID)
		}
		if diff := cmp.Diff(subject(confine.TierReference), original); diff != "" {
			t.Errorf("%s: Apply reaches the original:\n%s", m.ID, diff)
		}
		for _, id := range m.Opens {
			if !slices.ContainsFunc(channel.All(), func(c channel.Channel) bool { return c.ID == id && !c.Release }) {
				t.Errorf("%s: opens %s, which is no channel that can leak", m.ID, id)
			}
		}
		shown := slices.ContainsFunc(Celled(), func(other Mutant) bool {
			return slices.Contains(other.Controls(), m.Weakens) && len(other.Opens) > 0
		})
		if !shown {
			t.Errorf("%s: nothing shows that its control is needed", m.ID)
		}
	}
}

// Each control of the reference that has a mutant is weakened in a cell, or says
// why it is not; none says both.
func TestEveryControlIsWeakenedInACellOrSaysWhyNot(t *testing.T) {
	said := map[confine.Control]int{}
	for _, m := range Celled() {
		for _, c := range m.Controls() {
			said[c] = 1
		}
	}
	not := NotCelled()
	for _, m := range All() {
		if why, ok := not[m.ID]; ok {
			if said[m.Weakens] > 0 || why == "" {
				t.Errorf("%s: of its control more is said than this", m.ID)
			}
			said[m.Weakens]++
		}
	}
	for _, m := range Of(confine.TierReference) {
		if len(m.With) == 0 && said[m.Weakens] == 0 {
			t.Errorf("%s: no word about it", m.Weakens)
		}
	}
	for _, c := range inCells() {
		if !slices.ContainsFunc(gateway.Controls(), func(i confine.ControlInfo) bool { return i.ID == c }) {
			t.Errorf("%s is no control", c)
		}
	}
}
