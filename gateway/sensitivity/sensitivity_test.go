package sensitivity

import (
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

var levels = Lattice{"low", "middle", "high"}

func TestEveryPairOfLevels(t *testing.T) {
	for i, a := range levels {
		for j, b := range levels {
			t.Run(fmt.Sprintf("%s %s", a, b), func(t *testing.T) {
				if got := levels.AtMost(a, b); got != (i <= j) {
					t.Errorf("AtMost = %v", got)
				}
				joined, err := levels.Join(a, b)
				if err != nil || joined != levels[max(i, j)] {
					t.Errorf("Join = %q, %v", joined, err)
				}
				if got := (Ceilings{"sink": b}).Admits(levels, "sink", a); got != (i <= j) {
					t.Errorf("Admits = %v", got)
				}
				session, err := NewSession(levels, a)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := session.Raise(b); err != nil || got != levels[max(i, j)] || session.Label() != got {
					t.Errorf("Raise = %q, %v", got, err)
				}
			})
		}
	}
}

func TestRankStartsAtOneSoThatZeroIsUnknown(t *testing.T) {
	for i, label := range levels {
		if got := levels.Rank(label); got != i+1 {
			t.Errorf("Rank(%q) = %d", label, got)
		}
	}
	if levels.Rank("other") != 0 || levels.Rank("") != 0 {
		t.Error("an unknown label has a rank")
	}
}

func TestWhatIsUnknownIsDenied(t *testing.T) {
	for _, c := range []struct {
		name     string
		lattice  Lattice
		ceilings Ceilings
		label    Label
	}{
		{"no ceilings", levels, nil, "low"},
		{"another sink's ceiling", levels, Ceilings{"other": "high"}, "low"},
		{"empty ceiling", levels, Ceilings{"sink": ""}, "low"},
		{"unknown ceiling", levels, Ceilings{"sink": "top"}, "low"},
		{"unknown label", levels, Ceilings{"sink": "high"}, "bottom"},
		{"empty label", levels, Ceilings{"sink": "high"}, ""},
		{"unknown label equal to an unknown ceiling", levels, Ceilings{"sink": "top"}, "top"},
		{"empty lattice", nil, Ceilings{"sink": "low"}, "low"},
		{"duplicate level", Lattice{"low", "high", "low"}, Ceilings{"sink": "high"}, "low"},
		{"nameless level", Lattice{"", "high"}, Ceilings{"sink": "high"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.ceilings.Admits(c.lattice, "sink", c.label) {
				t.Error("admitted")
			}
		})
	}
}

func TestASessionNeedsAnOrderAndAKnownLabel(t *testing.T) {
	for _, c := range []struct {
		name    string
		lattice Lattice
		initial Label
	}{
		{"empty lattice", nil, "low"},
		{"duplicate level", Lattice{"low", "low"}, "low"},
		{"nameless level", Lattice{"low", ""}, "low"},
		{"unknown label", levels, "top"},
		{"no label", levels, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := NewSession(c.lattice, c.initial); err == nil {
				t.Error("started")
			}
		})
	}
}

func TestAnUnknownLabelLeavesTheSessionAsItWas(t *testing.T) {
	session, err := NewSession(levels, "middle")
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []Label{"", "top"} {
		if _, err := session.Raise(label); err == nil || session.Label() != "middle" {
			t.Errorf("Raise(%q): %v, label now %q", label, err, session.Label())
		}
	}
}

func TestASessionKeepsItsOwnLattice(t *testing.T) {
	given := Lattice{"low", "high"}
	session, err := NewSession(given, "low")
	if err != nil {
		t.Fatal(err)
	}
	given[1] = "other"
	if _, err := session.Raise("high"); err != nil {
		t.Error("the session shares the caller's lattice")
	}
}

func TestTheLabelNeverFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		session, err := NewSession(levels, rapid.SampledFrom(levels).Draw(t, "initial"))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			before := session.Label()
			next := rapid.SampledFrom(append(levels[:3:3], "other")).Draw(t, "next")
			after, err := session.Raise(next)
			if err == nil && (levels.Rank(after) < levels.Rank(before) || levels.Rank(after) < levels.Rank(next)) {
				t.Fatalf("%q fell to %q at %q", before, after, next)
			}
		}
	})
}

func TestConcurrentRaisesKeepTheHighest(t *testing.T) {
	session, err := NewSession(levels, "low")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			if _, err := session.Raise(levels[i%len(levels)]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := session.Label(); got != "high" {
		t.Errorf("label %q", got)
	}
}
