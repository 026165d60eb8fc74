package level1

import (
	"fmt"
	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"os"
	ref "postern/fixtures/policy"
	"postern/mutants/cedar"
	"testing"
)

func input(t testing.TB, policies, schemaText string) Input {
	t.Helper()
	var s schema.Schema
	if err := s.UnmarshalCedar([]byte(schemaText)); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	list, err := cedar.Parse("test.cedar", []byte(policies))
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if list[i].ID == "" {
			list[i].ID = fmt.Sprintf("p%d", i+1)
		}
	}
	return Input{Policies: list, Schema: resolved}
}

func TestScratch(t *testing.T) {
	in := input(t, string(ref.Reference().Policy.Policies), string(ref.Reference().Policy.Schema))
	if os.Getenv("STRICT") != "" {
		in.Rule = Strict
	}
	res, err := Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[Status]int{}
	for _, v := range res.Verdicts {
		counts[v.Status]++
		if v.Status == Equivalent || v.Status == KilledByOther {
			t.Log(v.ID, v.Status, v.Differs)
		}
	}
	t.Log(counts, res.Requests, res.Valid, res.Complete)
	t.Log(res.Dead, res.Deciders)
}
