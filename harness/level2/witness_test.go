package level2

import (
	"slices"
	"testing"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"

	reference "postern/fixtures/policy"
	"postern/mutants/cedar/domain"
)

// request is one that the gateway asks, until edit changes it.
func request(edit func(*domain.Request)) domain.Request {
	tool, group := types.NewEntityUID("Tool", "t"), types.NewEntityUID("ToolGroup", "g")
	r := domain.Request{
		Request: cedargo.Request{
			Principal: types.NewEntityUID("Agent", "agent"), Action: types.NewEntityUID("Action", "call"), Resource: tool,
			Context: types.NewRecord(types.RecordMap{"sensitivity": types.Long(2), "sink": types.String("vault")}),
		},
		Own:   types.EntityMap{tool: {UID: tool, Parents: types.NewEntityUIDSet(group)}, group: {UID: group}},
		Valid: true,
	}
	edit(&r)
	return r
}

func withContext(m types.RecordMap) func(*domain.Request) {
	return func(r *domain.Request) { r.Context = types.NewRecord(m) }
}

func TestOnlyWhatTheGatewayAsksIsAsked(t *testing.T) {
	c := reference.Reference()
	q, ok := asked(c, request(func(*domain.Request) {}))
	if !ok || q.sink != "vault" || q.initial != reference.Internal || !slices.Equal(q.groups, []string{"g"}) {
		t.Fatalf("%+v, %v", q, ok)
	}
	for name, edit := range map[string]func(*domain.Request){
		"another agent":         func(r *domain.Request) { r.Principal.ID = "other" },
		"another action":        func(r *domain.Request) { r.Action.ID = "other" },
		"no tool":               func(r *domain.Request) { r.Resource.Type = "Agent" },
		"refused by the schema": func(r *domain.Request) { r.Valid = false },
		"below all":             withContext(types.RecordMap{"sensitivity": types.Long(-1), "sink": types.String("vault")}),
		"above the lattice":     withContext(types.RecordMap{"sensitivity": types.Long(5), "sink": types.String("vault")}),
		"no number":             withContext(types.RecordMap{"sensitivity": types.String("2"), "sink": types.String("vault")}),
		"no sink":               withContext(types.RecordMap{"sensitivity": types.Long(2)}),
		"something more":        withContext(types.RecordMap{"sensitivity": types.Long(2), "sink": types.String("vault"), "more": types.True}),
		"a group in a group": func(r *domain.Request) {
			group := types.NewEntityUID("ToolGroup", "g")
			r.Own[group] = types.Entity{UID: group, Parents: types.NewEntityUIDSet(types.NewEntityUID("ToolGroup", "h"))}
		},
	} {
		if q, ok := asked(c, request(edit)); ok {
			t.Errorf("%s: %+v", name, q)
		}
	}
}

// The gateway that is opened asks what a witness was chosen by.
func TestAQuestionIsPutInAClone(t *testing.T) {
	c := reference.Reference()
	q := question{tool: reference.PublicTool, groups: []string{"g"}, sink: "s", initial: reference.Public, answer: reference.Restricted}
	put := q.put(c)
	tool := put.Catalogue[1]
	if tool.Name != q.tool || !slices.Equal(tool.Groups, q.groups) || tool.Sink != q.sink || tool.Response != q.answer || put.Initial != q.initial {
		t.Errorf("%+v", tool)
	}
	openCeiling(c, "s")
	openPolicy(c)
	if fresh := reference.Reference(); c.Initial != fresh.Initial || c.Catalogue[1].Sink != fresh.Catalogue[1].Sink ||
		len(c.Ceilings) != len(fresh.Ceilings) || string(c.Policy.Policies) != string(fresh.Policy.Policies) {
		t.Error("the original was changed")
	}
}

func TestAWitnessWithNothingOpenedIsPreferred(t *testing.T) {
	found := chosen{}
	found.offer(witness{direction: Widens, opened: true, asks: question{sink: "first"}})
	found.offer(witness{direction: Widens, asks: question{sink: "second"}})
	found.offer(witness{direction: Widens, asks: question{sink: "third"}})
	found.offer(witness{direction: Narrows, opened: true})
	if found.done() {
		t.Error("done, with a layer opened")
	}
	if all := found.list(); len(all) != 2 || all[0].asks.sink != "second" || !all[1].opened {
		t.Errorf("%+v", all)
	}
}
