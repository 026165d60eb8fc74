package domain

import (
	"math"
	"testing"

	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"

	"postern/mutants/cedar"
	"postern/mutants/cedar/samples"
)

func parse(t testing.TB, policies, schemaText string) (*resolved.Schema, []Source) {
	t.Helper()
	var s schema.Schema
	if err := s.UnmarshalCedar([]byte(schemaText)); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	list, err := cedar.Parse("test.cedar", []byte(policies))
	if err != nil {
		t.Fatal(err)
	}
	var out []Source
	for i, p := range list {
		out = append(out, Source{Policy: i, Tree: p.Tree})
	}
	return r, out
}

// The same policies give the same requests; the first are valid, the rest are
// not, and none stands there twice.
func TestRequestsOfTheSamples(t *testing.T) {
	all, err := samples.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			r, sources := parse(t, string(s.Policies), string(s.Schema))
			d, again := New(r, sources, Options{Limit: 1000}), New(r, sources, Options{Limit: 1000})
			if d.Digest != again.Digest || len(d.Requests) != len(again.Requests) {
				t.Errorf("%d requests, then %d others", len(d.Requests), len(again.Requests))
			}
			v := validate.New(r)
			for i, q := range d.Requests {
				valid := v.Request(q.Request) == nil && v.Entities(q.Own) == nil
				if valid != q.Valid || valid != (i < d.Valid) {
					t.Fatalf("request %d of %d valid ones: valid %v", i, d.Valid, valid)
				}
			}
			if d.Valid == 0 || d.Valid == len(d.Requests) || d.Valid > 1000 {
				t.Errorf("%d of %d are valid", d.Valid, len(d.Requests))
			}
		})
	}
}

const schemaText = `
entity Group; entity User in [Group] = { "age": Long, "boss"?: User };
entity Doc = { "owner": User, "kind": String };
action "go" appliesTo { principal: User, resource: Doc, context: { "n": Long, "s": String, "idle": Set<Long> } };`

// values lists what stands at a place of the valid requests.
func values(d *Domain, at func(Request) types.Value) map[string]bool {
	out := map[string]bool{}
	for _, q := range d.Requests[:d.Valid] {
		if v := at(q); v != nil {
			out[v.String()] = true
		} else {
			out["absent"] = true
		}
	}
	return out
}

func TestWhatAPlaceHolds(t *testing.T) {
	r, sources := parse(t, `permit (principal in Group::"g", action, resource) when { context.n + 2 > 5 && context.s like "a*b" && principal has boss && principal.boss == resource.owner };`, schemaText)
	d := New(r, sources, Options{})
	if !d.Complete {
		t.Fatal("not complete")
	}
	context := func(name types.String) func(Request) types.Value {
		return func(q Request) types.Value {
			v, _ := q.Context.Get(name)
			return v
		}
	}
	boss := func(q Request) types.Value {
		v, _ := q.Own[q.Principal].Attributes.Get("boss")
		return v
	}
	for _, c := range []struct {
		name string
		got  map[string]bool
		want []string
	}{
		{"a sum has its numbers and its ends", values(d, context("n")), []string{"2", "3", "4", "5", types.Long(math.MaxInt64).String()}},
		{"a pattern has what it takes, and not", values(d, context("s")), []string{"ab", "aqb", "qab", freshID}},
		{"what nobody reads has one value", values(d, context("idle")), []string{"[]"}},
		{"an optional attribute is absent, too", values(d, boss), []string{"absent"}},
	} {
		for _, want := range c.want {
			if !c.got[want] && !c.got[`"`+want+`"`] {
				t.Errorf("%s: no %s among %v", c.name, want, c.got)
			}
		}
	}
	if n := len(values(d, context("idle"))); n != 1 {
		t.Errorf("what nobody reads has %d values", n)
	}
	same, other := false, false
	for _, q := range d.Requests[:d.Valid] {
		owner, _ := q.Own[q.Resource].Attributes.Get("owner")
		if b := boss(q); b != nil {
			same, other = same || b.Equal(owner), other || !b.Equal(owner)
		}
	}
	if !same || !other {
		t.Errorf("two places that are compared: equal in one request %v, different in one %v", same, other)
	}
}

func TestTheUsersEntitiesTakePart(t *testing.T) {
	r, sources := parse(t, `permit (principal in Group::"g", action, resource);`, schemaText)
	ann := types.NewEntityUID("User", "ann")
	store := types.EntityMap{ann: {UID: ann, Parents: types.NewEntityUIDSet(types.NewEntityUID("Group", "g")),
		Attributes: types.NewRecord(types.RecordMap{"age": types.Long(7)})}}
	d := New(r, sources, Options{Entities: store})
	asked := false
	for _, q := range d.Requests[:d.Valid] {
		if _, changed := q.Own[ann]; changed {
			t.Fatal("a request brings a stored entity of its own")
		}
		asked = asked || q.Principal == ann
	}
	if e, there := d.Get(d.Requests[0]).Get(ann); !asked || !there || e.Attributes.Len() != 1 {
		t.Error("the user's entity is not asked about, or is not as it is stored")
	}
}

func TestTooManyCombinationsAreNotComplete(t *testing.T) {
	r, sources := parse(t, `permit (principal in Group::"g", action, resource) when { context.n > 5 && context.n > 20 && context.s == "a" };
		permit (principal, action, resource) when { resource.kind == "k" };`, schemaText)
	d := New(r, sources, Options{Limit: 40})
	if d.Complete || !d.Whole[1] || d.Whole[0] {
		t.Errorf("complete %v, whole %v", d.Complete, d.Whole)
	}
	if d := New(r, sources, Options{}); !d.Complete || !d.Whole[0] || !d.Whole[1] {
		t.Errorf("without a limit: complete %v, whole %v", d.Complete, d.Whole)
	}
}
