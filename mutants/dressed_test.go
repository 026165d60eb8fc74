package mutants

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
	"postern/gateway/confine"
)

func byID(id string) (Mutant, bool) {
	all := All()
	i := slices.IndexFunc(all, func(m Mutant) bool { return m.ID == id })
	if i < 0 {
		return Mutant{}, false
	}
	return all[i], true
}

// A dress is no other weakening: what else opens is what the mutant opens alone.
func TestADressedMutantOpensOneChannelMore(t *testing.T) {
	for _, d := range dressings() {
		base, there := byID(d.base)
		dressed, made := byID(d.base + "-dressed")
		if !there || !made {
			t.Errorf("%s: there is no such mutant, or none in a dress", d.base)
			continue
		}
		if !slices.Equal(base.Refused(), dressed.Refused()) {
			t.Errorf("%s: admission refuses it for other controls", dressed.ID)
		}
		for _, tier := range []confine.Tier{confine.TierReference, confine.TierHardened} {
			if diff := cmp.Diff(append(base.OpensIn(tier), d.opens), dressed.OpensIn(tier)); diff != "" {
				t.Errorf("%s under %q (-base with its dress +got)\n%s", dressed.ID, tier, diff)
			}
		}
	}
}

func TestEveryDressHasAMutant(t *testing.T) {
	for _, c := range channel.All() {
		if c.Dressed && !slices.ContainsFunc(dressings(), func(d dressing) bool { return d.opens == c.ID }) {
			t.Errorf("%s: no trial dresses its canary", c.ID)
		}
	}
}
