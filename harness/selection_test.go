package harness

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/reports"
)

func chosen(t *testing.T, o Options) []string {
	t.Helper()
	specs, err := o.withDefaults().choose()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range specs {
		ids = append(ids, s.ID)
	}
	return ids
}

// Every trial is in exactly one part, and no part is larger than another by
// more than one trial.
func TestShardsDivideTheCampaign(t *testing.T) {
	all := chosen(t, Options{Runs: 3})
	for _, shards := range []int{1, 2, 3, 7} {
		seen := map[string]int{}
		for k := range shards {
			part := chosen(t, Options{Runs: 3, Shard: k + 1, Shards: shards})
			if least := len(all) / shards; len(part) < least || len(part) > least+1 {
				t.Errorf("part %d of %d has %d of %d trials", k+1, shards, len(part), len(all))
			}
			for _, id := range part {
				seen[id]++
			}
		}
		for _, id := range all {
			if seen[id] != 1 {
				t.Errorf("%s is in %d of %d parts", id, seen[id], shards)
			}
		}
	}
}

func TestAShardDependsOnNothingButThePlan(t *testing.T) {
	first, again := chosen(t, Options{Shard: 2, Shards: 3, Seed: 1}), chosen(t, Options{Shard: 2, Shards: 3, Seed: 2, Parallel: 1})
	if !slices.Equal(first, again) {
		t.Error("a seed changes what a part holds")
	}
	mutants := func(s Spec) bool { return s.Kind == Mutation }
	for _, id := range chosen(t, Options{Shard: 2, Shards: 3, Select: mutants}) {
		if !slices.Contains(first, id) {
			t.Errorf("%s came into the part by a selection", id)
		}
	}
}

func TestAPartSaysSoInItsEvidence(t *testing.T) {
	o := Options{Shard: 2, Shards: 3}.withDefaults()
	specs, err := o.choose()
	if err != nil {
		t.Fatal(err)
	}
	var trials []reports.Trial
	for _, s := range specs {
		trials = append(trials, ideal(s))
	}
	e := idealEvidence()
	l := &lab{environment: e.Environment, generator: e.Generator}
	part := l.evidence(o, specs, trials, nil, reports.Rules{}, time.Unix(0, 0))
	if part.Run.Shard != 2 || part.Run.Shards != 3 || part.Summary.Accepted {
		t.Errorf("shard %d of %d, accepted %v", part.Run.Shard, part.Run.Shards, part.Summary.Accepted)
	}
	v, err := Verify(bundle(t, part, manifestOf(0, here().Specs())))
	if err != nil || v.Summary.Accepted || !strings.Contains(strings.Join(v.Problems, "\n"), string(reports.NotAllSelected)) {
		t.Errorf("accepted %v, problems %v, error %v", v.Summary.Accepted, v.Problems, err)
	}
}

func TestFamiliesSelectByMutantAndByChannel(t *testing.T) {
	for family, want := range map[string]string{"profile": "mutant/profile/network-host", "dns": "mutant/profile/network-host", "gate": "mutant/gate/no-drain"} {
		ids := chosen(t, Options{Families: []string{family}})
		if !slices.Contains(ids, want) || slices.Contains(ids, "protected/1") || slices.Contains(ids, "mutant/ceiling/public-top") {
			t.Errorf("%s selects %v", family, ids)
		}
	}
	both := chosen(t, Options{Families: []string{"ceiling", "gate"}})
	if len(both) != len(chosen(t, Options{Families: []string{"ceiling"}}))+len(chosen(t, Options{Families: []string{"gate"}})) {
		t.Errorf("two families select %v", both)
	}
}

func TestOptionsThatMakeNoCampaign(t *testing.T) {
	for says, o := range map[string]Options{
		"--family must be one of: bubblewrap ceiling":     {Families: []string{"profile", "nothing"}},
		"--shard must be k/n":                             {Shard: 3, Shards: 2},
		"with n from 1 to 1000":                           {Shard: 1, Shards: maxShards + 1},
		"k from 1":                                        {Shards: 2},
		"--profile must be reference or hardened":         {Profile: "lax"},
		"no trial is selected":                            {Shard: 999, Shards: 1000},
		"no trial is selected; 'postern list' prints the": {Families: []string{"gate"}, Select: func(s Spec) bool { return s.Kind == Protected }},
	} {
		_, err := o.withDefaults().choose()
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

func TestParseShard(t *testing.T) {
	for text, good := range map[string]bool{
		"1/1": true, "3/7": true, "1000/1000": true,
		"": false, "1": false, "0/2": false, "3/2": false, "1/0": false, "-1/2": false, "1/1001": false, "1/2/3": false, "01/2": false, "1/2 ": false, "a/b": false, "+1/2": false,
	} {
		if _, _, err := ParseShard(text); (err == nil) != good || err != nil && !errors.Is(err, ErrShard) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
