package mutants

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
	"postern/fixtures/policy"
	"postern/gateway"
	"postern/gateway/confine"
)

func TestRegistryIsWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^(profile|request|host|ceiling|supervision|gate|guard)/[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, m := range All() {
		if !form.MatchString(m.ID) {
			t.Errorf("%s: an id is its family, a slash, and words", m.ID)
		}
		if seen[m.ID] {
			t.Errorf("%s: registered twice", m.ID)
		}
		seen[m.ID] = true
		if m.Why == "" || m.Apply == nil {
			t.Errorf("%s: says too little", m.ID)
		}
		if !slices.ContainsFunc(gateway.Controls(), func(c confine.ControlInfo) bool { return c.ID == m.Weakens }) {
			t.Errorf("%s: weakens %s, which is no control", m.ID, m.Weakens)
		}
		for _, id := range m.Opens {
			if !slices.ContainsFunc(channel.All(), func(c channel.Channel) bool { return c.ID == id && !c.Release }) {
				t.Errorf("%s: opens %s, which is no channel that can leak", m.ID, id)
			}
		}
	}
}

func TestEveryChannelHasAMutant(t *testing.T) {
	for _, c := range channel.All() {
		opened := slices.ContainsFunc(All(), func(m Mutant) bool { return slices.Contains(m.Opens, c.ID) })
		if !opened && !c.Release && c.NotApplicable == "" {
			t.Errorf("%s: no mutant opens it, so its probe or its observer may be dead", c.ID)
		}
	}
}

func TestApplyChangesTheCloneAlone(t *testing.T) {
	for _, m := range All() {
		original := subject(m.Tier)
		clone := original.Clone()
		m.Apply(&clone, Sample())
		if cmp.Equal(original, clone) && len(m.Needs) == 0 {
			t.Errorf("%s: Apply changes nothing", m.ID)
		}
		if diff := cmp.Diff(subject(m.Tier), original); diff != "" {
			t.Errorf("%s: Apply reaches the original:\n%s", m.ID, diff)
		}
	}
}

// subject is what mutants of a tier are clones of.
func subject(t confine.Tier) gateway.Config {
	c := policy.Reference()
	c.Profile, _ = t.Profile()
	return c
}

// A removal that opens nothing is no proof of anything by itself: under each
// profile it must be part of a set that opens something, or say why there is
// none.
func TestWhatOpensNothingIsExplained(t *testing.T) {
	for _, tier := range []confine.Tier{confine.TierReference, confine.TierHardened} {
		all := Of(tier)
		for _, m := range all {
			if len(m.OpensIn(tier)) > 0 {
				if m.Inert != "" && len(m.Opens) > 0 {
					t.Errorf("%q: %s: opens channels and is called inert", tier, m.ID)
				}
				continue
			}
			if len(m.With) > 0 && m.Hardened == nil && len(m.Opens) == 0 {
				t.Errorf("%q: %s: a set of controls that opens nothing proves nothing", tier, m.ID)
			}
			shown := slices.ContainsFunc(all, func(other Mutant) bool {
				return slices.Contains(other.Controls(), m.Weakens) && len(other.OpensIn(tier)) > 0
			})
			if !shown && m.InertIn(tier) == "" {
				t.Errorf("%q: %s: opens nothing, stands in no set of mutants that does, and does not say why it is inert", tier, m.ID)
			}
		}
	}
}
