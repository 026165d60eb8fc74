package policy

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const schemaText = `
entity Agent;
entity ToolGroup;
entity Tool in [ToolGroup];
action "call" appliesTo {
  principal: Agent,
  resource: Tool,
  context: { "sensitivity": Long, "sink": String },
};
`

const permitText = `
@id("permit-approved")
permit (principal == Agent::"agent", action == Action::"call", resource in ToolGroup::"approved");
`

const forbidText = `
@id("forbid-retired")
forbid (principal, action, resource in ToolGroup::"retired");
`

// overflowText validates, holds for every sensitivity that it can compute,
// and fails at the highest: the addition overflows.
const overflowText = `
@id("forbid-overflow")
forbid (principal, action, resource) when { context.sensitivity + 1 > 0 };
`

func compile(t testing.TB, policies string) *Engine {
	t.Helper()
	engine, err := Compile(Source{Policies: []byte(policies), Schema: []byte(schemaText)})
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

func TestDecisions(t *testing.T) {
	approved := Request{Tool: "store", Groups: []string{"approved"}, Sink: "vault", Sensitivity: 2}
	retired := Request{Tool: "store", Groups: []string{"retired", "approved"}, Sink: "vault", Sensitivity: 2}
	for _, c := range []struct {
		name     string
		policies string
		request  Request
		want     Decision
	}{
		{"permitted", permitText + forbidText, approved, Decision{Permitted: true, Code: Permit, Policies: []string{"permit-approved"}}},
		{"no policy at all", "", approved, Decision{Code: DenyDefault}},
		{"zero request", permitText + forbidText, Request{}, Decision{Code: DenyDefault}},
		{"no group", permitText, Request{Tool: "store", Sink: "vault", Sensitivity: 2}, Decision{Code: DenyDefault}},
		{"another group", permitText, Request{Tool: "store", Groups: []string{"Approved"}}, Decision{Code: DenyDefault}},
		{"forbid beats permit", permitText + forbidText, retired, Decision{Code: DenyPolicy, Policies: []string{"forbid-retired"}}},
		{"forbid first in the file", forbidText + permitText, retired, Decision{Code: DenyPolicy, Policies: []string{"forbid-retired"}}},
		{"a tool named like a group", permitText, Request{Tool: "approved"}, Decision{Code: DenyDefault}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, compile(t, c.policies).Decide(c.request)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAForbidThatFailsDenies(t *testing.T) {
	engine := compile(t, permitText+overflowText)
	request := Request{Tool: "store", Groups: []string{"approved"}, Sink: "vault", Sensitivity: math.MaxInt64}
	want := Decision{Code: DenyError, Policies: []string{"forbid-overflow"}}
	if diff := cmp.Diff(want, engine.Decide(request)); diff != "" {
		t.Error(diff)
	}
}

func TestAPermitThatFailsDeniesToo(t *testing.T) {
	failing := `@id("permit-failing") permit (principal, action, resource) when { context.sensitivity + 1 > 0 };`
	engine := compile(t, permitText+failing)
	got := engine.Decide(Request{Tool: "store", Groups: []string{"approved"}, Sensitivity: math.MaxInt64})
	if got.Permitted || got.Code != DenyError {
		t.Errorf("%+v", got)
	}
}

func TestARequestThatDoesNotFitTheSchemaIsDenied(t *testing.T) {
	// Without validation this request would be permitted: nothing reads the
	// attribute that the schema asks for.
	narrow := strings.Replace(schemaText, `"sink": String`, `"sink": String, "purpose": String`, 1)
	engine, err := Compile(Source{Policies: []byte(permitText), Schema: []byte(narrow)})
	if err != nil {
		t.Fatal(err)
	}
	request := Request{Tool: "store", Groups: []string{"approved"}, Sink: "vault", Sensitivity: 1}
	if diff := cmp.Diff(Decision{Code: DenyRequest}, engine.Decide(request)); diff != "" {
		t.Error(diff)
	}
	if !engine.authorize(request.cedar()).Permitted {
		t.Error("the case proves nothing: evaluation denies on its own")
	}
}

func TestAnEntityThatDoesNotFitTheSchemaIsDenied(t *testing.T) {
	orphans := strings.Replace(schemaText, "entity Tool in [ToolGroup];", "entity Tool;", 1)
	all := `@id("permit-all") permit (principal, action, resource);`
	engine, err := Compile(Source{Policies: []byte(all), Schema: []byte(orphans)})
	if err != nil {
		t.Fatal(err)
	}
	if got := engine.Decide(Request{Tool: "store"}); !got.Permitted {
		t.Errorf("without a group: %+v", got)
	}
	if got := engine.Decide(Request{Tool: "store", Groups: []string{"approved"}}); got.Permitted || got.Code != DenyRequest {
		t.Errorf("with a group that the schema does not know: %+v", got)
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct{ name, policies, schema string }{
		{"no schema", permitText, "}"},
		{"a schema without the types", permitText, "entity Other;"},
		{"an unresolved schema", permitText, `entity Agent in [Missing]; entity Tool; action "call" appliesTo { principal: Agent, resource: Tool };`},
		{"text that is no policy", "permit everything;", schemaText},
		{"no id", `permit (principal, action, resource);`, schemaText},
		{"an empty id", `@id("") permit (principal, action, resource);`, schemaText},
		{"a malformed id", `@id("Two Words") permit (principal, action, resource);`, schemaText},
		{"one id twice", permitText + permitText, schemaText},
		{"an unknown attribute", `@id("p") permit (principal, action, resource) when { context.purpose == "x" };`, schemaText},
		{"an unknown type", `@id("p") permit (principal is Robot, action, resource);`, schemaText},
		{"an unknown action", `@id("p") permit (principal, action == Action::"erase", resource);`, schemaText},
		{"a condition that is no truth value", `@id("p") permit (principal, action, resource) when { context.sensitivity };`, schemaText},
		{"types that do not compare", `@id("p") permit (principal, action, resource) when { context.sink > 1 };`, schemaText},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Compile(Source{Policies: []byte(c.policies), Schema: []byte(c.schema)}); err == nil {
				t.Error("compiled")
			}
		})
	}
}

func TestARefusalQuotesNothing(t *testing.T) {
	const marker = "zq7marker"
	for _, policies := range []string{
		marker + " everything;",
		`@id("` + marker + ` x") permit (principal, action, resource);`,
		`@id("p") permit (principal, action, resource) when { context.` + marker + ` };`,
	} {
		_, err := Compile(Source{Policies: []byte(policies), Schema: []byte(schemaText)})
		if err == nil || strings.Contains(err.Error(), marker) {
			t.Error("compiled, or the refusal quotes the source")
		}
	}
}

func TestTheDigestIsOfTheMeaning(t *testing.T) {
	base := Source{Policies: []byte(permitText + forbidText), Schema: []byte(schemaText)}
	digest := func(s Source) string {
		t.Helper()
		d, err := s.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	layout := base.Clone()
	layout.Policies = []byte("// a comment\n" + strings.ReplaceAll(permitText+forbidText, "\n", "\n\n  "))
	if digest(base) != digest(layout) {
		t.Error("layout changes the digest")
	}
	others := map[string]Source{
		"a policy less":  {Policies: []byte(permitText), Schema: base.Schema},
		"another order":  {Policies: []byte(forbidText + permitText), Schema: base.Schema},
		"another group":  {Policies: []byte(strings.Replace(permitText+forbidText, "approved", "Approved", 1)), Schema: base.Schema},
		"another schema": {Policies: base.Policies, Schema: []byte(strings.Replace(schemaText, "Long", "String", 1))},
	}
	for name, other := range others {
		if digest(base) == digest(other) {
			t.Errorf("%s keeps the digest", name)
		}
	}
	if compile(t, permitText+forbidText).Digest != digest(base) {
		t.Error("the engine carries another digest")
	}
	if _, err := (Source{Policies: []byte("}"), Schema: base.Schema}).Digest(); err == nil {
		t.Error("a source that does not parse has a digest")
	}
}

func TestACloneSharesNothing(t *testing.T) {
	source := Source{Policies: []byte("a"), Schema: []byte("b")}
	clone := source.Clone()
	clone.Policies[0], clone.Schema[0] = 'x', 'x'
	if source.Policies[0] != 'a' || source.Schema[0] != 'b' {
		t.Error("shared")
	}
}

func BenchmarkDecide(b *testing.B) {
	engine := compile(b, permitText+forbidText)
	request := Request{Tool: "store", Groups: []string{"approved"}, Sink: "vault", Sensitivity: 2}
	for b.Loop() {
		if !engine.Decide(request).Permitted {
			b.Fatal("denied")
		}
	}
}
