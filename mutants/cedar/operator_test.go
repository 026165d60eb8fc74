package cedar

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// head is an unconditional policy; a condition follows.
const head = `permit (principal, action, resource) `

func set(t testing.TB, source string) Set {
	t.Helper()
	policies, err := Parse("test.cedar", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for i := range policies {
		if policies[i].ID == "" {
			policies[i].ID = "p"
		}
	}
	return Set{Policies: policies, Words: Gather(policies, nil)}
}

// by lists what one operator makes of the first policy, each on one line.
func by(t testing.TB, operator, source string) []string {
	t.Helper()
	mutants, _ := set(t, source).Mutants(0)
	var out []string
	for _, m := range mutants {
		if m.Operator == operator {
			out = append(out, strings.Join(strings.Fields(m.After), " "))
		}
	}
	return out
}

// Every operator has a row: what it makes of a policy.
var rows = []struct {
	operator string
	source   string
	want     []string // without head, where they begin with it
}{
	{"drop-policy", head + `;`, []string{""}},
	{"flip-effect", head + `;`, []string{`forbid ( principal, action, resource );`}},
	{"drop-condition", head + `when { context.a } unless { context.b };`, []string{`unless { context.b };`, `when { context.a };`}},
	{"swap-when-unless", head + `when { context.a };`, []string{`unless { context.a };`}},
	{"duplicate-id", `@id("a") permit (principal, action, resource); @id("b") permit (principal, action, resource);`, []string{
		`@id("b") permit ( principal, action, resource );`,
	}},
	{"fail", head + `;`, []string{`when { 9223372036854775807 + 1 == 0 };`}},
	{"widen-scope", `permit (principal == A::"a", action, resource is B in C::"c");`, []string{
		`permit ( principal, action, resource is B in C::"c" );`, `permit ( principal == A::"a", action, resource );`,
		`permit ( principal == A::"a", action, resource is B );`, `permit ( principal == A::"a", action, resource in C::"c" );`,
	}},
	{"scope-in", `permit (principal == A::"a", action, resource);`, []string{`permit ( principal in A::"a", action, resource );`}},
	{"scope-equals", `permit (principal in A::"a", action, resource);`, []string{`permit ( principal == A::"a", action, resource );`}},
	{"scope-entity", `permit (principal == A::"a", action, resource); permit (principal == A::"b", action, resource);`, []string{
		`permit ( principal == A::"b", action, resource );`, `permit ( principal == A::"postern-other", action, resource );`,
	}},
	{"scope-type", `permit (principal is A, action, resource is B);`, []string{
		`permit ( principal is B, action, resource is B );`, `permit ( principal is A, action, resource is A );`,
	}},
	{"drop-action", `permit (principal, action in [Action::"a", Action::"b"], resource);`, []string{
		`permit ( principal, action in [Action::"b"], resource );`, `permit ( principal, action in [Action::"a"], resource );`,
	}},
	{"and-or", head + `when { context.a && context.b };`, []string{`when { context.a || context.b };`}},
	{"and-or", head + `when { context.a || context.b };`, []string{`when { context.a && context.b };`}},
	{"drop-operand", head + `when { context.a && context.b };`, []string{`when { context.b };`, `when { context.a };`}},
	{"drop-not", head + `when { !context.a };`, []string{`when { context.a };`}},
	{"drop-guard", head + `when { context has a && context.a };`, []string{`when { true && context.a };`}},
	{"negate", head + `when { context.a && context.b like "x" };`, []string{`when { !context.a && context.b like "x" };`, `when { context.a && !(context.b like "x") };`}},
	{"constant-true", head + `when { !context.a };`, []string{`when { !true };`}},
	{"constant-true", head + `unless { context.a };`, []string{`unless { true };`}},
	{"constant-false", head + `when { context.a };`, []string{`when { false };`}},
	{"if-arm", head + `when { if context.a then context.b else context.c };`, []string{`when { context.b };`, `when { context.c };`}},
	{"if-swap", head + `when { if context.a then context.b else context.c };`, []string{`when { if context.a then context.c else context.b };`}},
	{"relation", head + `when { context.a <= 1 };`, []string{
		`when { context.a < 1 };`, `when { context.a > 1 };`, `when { context.a >= 1 };`, `when { context.a == 1 };`, `when { context.a != 1 };`,
	}},
	{"relation", head + `when { context.a == "x" };`, []string{`when { context.a != "x" };`}},
	{"equals-in", head + `when { principal == context.a };`, []string{`when { principal in context.a };`}},
	{"in-equals", head + `when { principal in context.a };`, []string{`when { principal == context.a };`}},
	{"is-type", head + `when { principal is A || principal is B };`, []string{
		`when { principal is B || principal is B };`, `when { principal is A || principal is A };`,
	}},
	{"is-in-half", head + `when { principal is A in B::"b" };`, []string{`when { principal is A };`, `when { principal in B::"b" };`}},
	{"arithmetic", head + `when { context.a * 2 - 1 > -context.b };`, []string{
		`when { context.a * 2 + 1 > -context.b };`, `when { context.a + 2 - 1 > -context.b };`, `when { context.a * 2 - 1 > context.b };`,
	}},
	{"variable", head + `when { principal == context.a };`, []string{`when { resource == context.a };`}},
	{"attribute", head + `when { context.a == context.b };`, []string{`when { context.b == context.b };`, `when { context.a == context.a };`}},
	{"missing-attribute", head + `when { context has a };`, []string{`when { context has postern_missing };`}},
	{"constant", head + `when { context.a == 0 };`, []string{`when { context.a == -1 };`, `when { context.a == 1 };`}},
	{"boolean", head + `when { context.a == true };`, []string{`when { context.a == false };`}},
	{"string", head + `when { context.a == "x" || context.b == "y" };`, []string{
		`when { context.a == "y" || context.b == "y" };`, `when { context.a == "postern-other" || context.b == "y" };`,
		`when { context.a == "x" || context.b == "x" };`, `when { context.a == "x" || context.b == "postern-other" };`,
	}},
	{"entity", head + `when { principal == A::"a" };`, []string{`when { principal == A::"postern-other" };`}},
	{"pattern", head + `when { context.a like "x*y" };`, []string{
		`when { context.a like "*" };`, `when { context.a like "*x*y" };`, `when { context.a like "x*y*" };`, `when { context.a like "xy" };`,
	}},
	{"all-any", head + `when { context.a.containsAll(context.b) };`, []string{`when { context.a.containsAny(context.b) };`}},
	{"contains-reversed", head + `when { context.a.containsAll(context.b) };`, []string{`when { context.b.containsAll(context.a) };`}},
	{"contains-empty", head + `when { context.a.contains(1) };`, []string{`when { context.a.isEmpty() };`}},
	{"drop-element", head + `when { ["a", "b"].contains(context.a) };`, []string{
		`when { ["b"].contains(context.a) };`, `when { ["a"].contains(context.a) };`,
	}},
	{"drop-entry", head + `when { context.a == {x: 1, y: 2} };`, []string{`when { context.a == {"y":2} };`, `when { context.a == {"x":1} };`}},
	{"function", head + `when { context.a.isIpv4() };`, []string{
		`when { context.a.isIpv6() };`, `when { context.a.isLoopback() };`, `when { context.a.isMulticast() };`,
	}},
	{"drop-call", head + `when { context.a.toDate() == context.b };`, []string{`when { context.a == context.b };`}},
	{"swap-arguments", head + `when { context.a.isInRange(context.b) };`, []string{`when { context.b.isInRange(context.a) };`}},
	{"extension-value", head + `when { context.a.isInRange(ip("10.0.0.0/8")) };`, []string{
		`when { context.a.isInRange(ip("10.0.0.0/7")) };`, `when { context.a.isInRange(ip("10.0.0.0/9")) };`,
	}},
	{"extension-value", head + `when { context.a == decimal("-0.5") };`, []string{
		`when { context.a == decimal("-0.5001") };`, `when { context.a == decimal("-0.4999") };`,
	}},
}

func TestWhatEachOperatorMakes(t *testing.T) {
	shown := map[string]bool{}
	for _, row := range rows {
		shown[row.operator] = true
		t.Run(row.operator, func(t *testing.T) {
			var got []string
			for _, text := range by(t, row.operator, row.source) {
				got = append(got, strings.TrimPrefix(text, "permit ( principal, action, resource ) "))
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, op := range Operators() {
		if !shown[op.Name] {
			t.Errorf("%s has no row", op.Name)
		}
		if (op.Whole == nil) == (op.Part == nil) || op.Why == "" {
			t.Errorf("%s needs a reason and one function", op.Name)
		}
	}
}

// everything is a policy with every kind of expression.
const everything = `@id("everything") @note("a") permit (principal, action, resource) when {
  (principal is A && principal is B in C::"c" || !(resource in C::"d")) &&
  (if context.a < 1 then context.a <= 2 else context.a > 3) && context.a >= -4 && context.a + 1 - 2 * 3 == -(context.a) &&
  context.s != "s" && context has o && context.s like "a*" && ["x"].contains(context.s) && [1, 2].containsAll([1]) &&
  [1].containsAny([2]) && [].isEmpty() && [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17].contains(1) && {} == {} && principal.hasTag("t") && principal.getTag("t") == true && {k: 1} == {k: 2} &&
  action == Action::"a" && ip("::1").isIpv4() && ip("::1").isIpv6() && ip("::1").isLoopback() && ip("::1").isMulticast() &&
  ip("::1").isInRange(ip("::/8")) && decimal("1.0").lessThan(decimal("2.0")) && decimal("1.0").lessThanOrEqual(decimal("2.0")) &&
  decimal("1.0").greaterThan(decimal("2.0")) && decimal("1.0").greaterThanOrEqual(decimal("2.0")) &&
  datetime("2024-01-01").toDate() == datetime("2024-01-01").offset(duration("1d")) &&
  datetime("2024-01-01").toTime() == duration("1h") && datetime("2024-01-02").durationSince(datetime("2024-01-01")).toDays() == 1 &&
  duration("1d").toHours() == 24 && duration("1d").toMinutes() == 1 && duration("1d").toSeconds() == 1 && duration("1d").toMilliseconds() == 1
};`

func TestEveryKindOfExpressionIsMutatedOrSaidNotToBe(t *testing.T) {
	s := set(t, everything)
	here := map[string]bool{}
	Walk(s.Policies[0].Tree.Conditions[0].Body, nil, func(_ Path, n Node) { here[Kind(n)] = true })
	_, left := s.Mutants(0)
	here[moreElements], here[openScope], here[annotation] = true, true, true
	for _, kind := range Kinds() {
		reason := Unmutated()[kind]
		alone := slices.ContainsFunc(left, func(l Left) bool { return l.Kind == kind })
		switch {
		case !here[kind]:
			t.Errorf("%s: the sample has none", kind)
		case alone && reason == "":
			t.Errorf("%s: no operator changes it, and nothing says so", kind)
		case !alone && reason != "":
			t.Errorf("%s: is changed, and said not to be", kind)
		}
	}
	for kind := range here {
		if !slices.Contains(Kinds(), kind) {
			t.Errorf("%s is in no list", kind)
		}
	}
}

func TestMutantsOfAPolicyDifferAndTheOriginalStays(t *testing.T) {
	s := set(t, everything)
	before := Text(s.Policies[0].Tree)
	mutants, _ := s.Mutants(0)
	ids, texts := map[string]bool{}, map[string]bool{before: true}
	for _, m := range mutants {
		if ids[m.ID] || texts[m.After] {
			t.Errorf("%s: its id or its text stands twice", m.ID)
		}
		ids[m.ID], texts[m.After] = true, true
	}
	if len(mutants) < 200 {
		t.Errorf("%d mutants of every kind of expression", len(mutants))
	}
	if Text(s.Policies[0].Tree) != before {
		t.Error("the original was touched")
	}
}

func TestTwoChangesTogether(t *testing.T) {
	s := set(t, head+`when { context.a && context.b } when { context.c };`)
	mutants, _ := s.Mutants(0)
	named := func(id string) Mutant {
		for _, m := range mutants {
			if m.ID == id {
				return m
			}
		}
		t.Fatalf("no mutant %s", id)
		return Mutant{}
	}
	for _, c := range []struct{ a, b, want string }{
		{"p/drop-operand@when[0]", "p/drop-condition@when[1]", `when { context.b };`},
		{"p/drop-condition@when[0]", "p/drop-condition@when[1]", `permit ( principal, action, resource );`},
		{"p/drop-operand@when[0]", "p/drop-condition@when[0]", ``},
	} {
		tree, ok := s.Both(named(c.a), named(c.b))
		got := ""
		if ok {
			got = strings.TrimPrefix(strings.Join(strings.Fields(Text(tree)), " "), "permit ( principal, action, resource ) ")
		}
		if got != c.want {
			t.Errorf("%s and %s: %s", c.a, c.b, got)
		}
	}
}

func TestBothSidesGone(t *testing.T) {
	others := map[string]string{"p/drop-operand@when[0]": `when { context.a };`, "p/drop-operand@when[0]#2": `when { context.b };`}
	for source, want := range map[string]string{
		head + `when { context.a && context.b };`: `when { true };`,
		head + `when { context.a || context.b };`: `when { false };`,
	} {
		s := set(t, source)
		mutants, _ := s.Mutants(0)
		for _, m := range mutants {
			tree, other, ok := s.BothSides(m)
			if ok != (m.Operator == "drop-operand") || ok && (!strings.HasSuffix(Text(tree), want) || !strings.HasSuffix(Text(other), others[m.ID])) {
				t.Errorf("%s: %v", m.ID, ok)
			}
		}
	}
}

func TestTheDigestIsOfMeaningAndPlace(t *testing.T) {
	first, _ := set(t, head+`when { context.a == 1 };`).Mutants(0)
	again, _ := set(t, head+"// a comment\nwhen { context.a==1 };").Mutants(0)
	other, _ := set(t, head+`when { context.a == 2 };`).Mutants(0)
	if first[0].Digest != again[0].Digest || first[0].Digest == other[0].Digest {
		t.Error("layout counts, or meaning does not")
	}
	if Digest("a", "b") == Digest("ab") || Digest("a", "b") == Digest("b", "a") {
		t.Error("lists run into one")
	}
}
