package level1

import (
	"testing"

	"postern/mutants/cedar/samples"
)

// The samples are of different styles. Each decides with every policy of its
// own; what nothing depends on is known.
func TestSamples(t *testing.T) {
	implied := map[string]string{ // the schema lets nothing else be asked
		"photos":    "no-private-photos/widen-scope@resource",
		"documents": "writers-change/widen-scope@principal",
	}
	all, err := samples.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			in := input(t, string(s.Policies), string(s.Schema))
			in.Limit = 3000
			for i := range in.Policies {
				if in.Policies[i].ID == "" {
					in.Policies[i].ID = s.Name + string(rune('a'+i))
				}
			}
			result := run1(t, in)
			for _, v := range result.Verdicts {
				if v.Operator == "drop-policy" && v.Status != Killed {
					t.Errorf("%s: %s", v.ID, v.Status)
				}
				if v.Status == Survived || v.Status == "" {
					t.Errorf("%s: %q without any request of the user's", v.ID, v.Status)
				}
			}
			shown := ""
			for _, d := range result.Dead {
				switch {
				case d.Implied != nil:
					shown += d.Mutant
				case d.Partner == "":
					t.Errorf("dead: %s", d.Mutant)
				}
			}
			if shown != implied[s.Name] {
				t.Errorf("implied by the schema: %q", shown)
			}
			if len(result.Verdicts) < 80 || result.Requests < 500 {
				t.Errorf("%d mutants over %d requests", len(result.Verdicts), result.Requests)
			}
		})
	}
}
