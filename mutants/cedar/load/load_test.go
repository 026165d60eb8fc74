package load

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
)

const head = `permit (principal, action, resource) `

const schemaText = `entity User; entity Doc; action "see" appliesTo { principal: User, resource: Doc, context: { "n": Long } };`

// owned is a schema with entities in attributes, in a tag and in the context.
const owned = `entity User; entity Doc = { "owner": User, "readers": Set<User>, "mark"?: { "type": String, "id": String } } tags User;
action "see" appliesTo { principal: User, resource: Doc, context: { "by": User } };`

// file writes a file and gives its path.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// problem demands a problem on one line, with a line number and words.
func problem(t *testing.T, err error, line int, what string) {
	t.Helper()
	var p *Problem
	if !errors.As(err, &p) {
		t.Fatalf("%v is no problem", err)
	}
	if p.Line != line || !strings.Contains(p.What, what) || strings.Contains(p.Error(), "\n") {
		t.Errorf("%s, want line %d, %q", p, line, what)
	}
}

func TestPoliciesThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, source string
		line         int
		what         string
	}{
		{"no Cedar", head + ";\npermit everything;", 2, "not Cedar"},
		{"no end", head, 1, "not Cedar"},
		{"a byte order mark", "\ufeff" + head + ";", 1, "byte order mark"},
		{"another encoding", head + ";\n" + head + "when { context.a == \"\xe4\" };", 2, "not UTF-8"},
		{"a number that is none", head + ";\n" + head + "when { context.n < 9223372036854775808 };", 2, "beyond 64 bits"},
		{"a number below all", "\n" + head + "when { context.n < -9223372036854775809 };", 2, "beyond 64 bits"},
		{"nothing", "// nothing\n", 0, "no policy"},
		{"a template", "\n" + `permit (principal == ?principal, action, resource);`, 2, "template"},
		{"many policies", strings.Repeat(head+";\n", 10_000), 2001, "2,000 policies"},
		{"a long text", "\n\n" + head + `when { context.a == "` + strings.Repeat("a", 1<<20) + `" };`, 3, "64 KiB"},
		{"a large file", strings.Repeat(" ", 5<<20), 0, "4 MiB"},
		{"many brackets", "\n" + head + "when { " + strings.Repeat("(", 1_000_000), 2, "100 brackets"},
		{"many sets", "\n" + head + "when { " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + " };", 2, "100 brackets"},
		{"many negations", "\n" + head + "when { " + strings.Repeat("!", 200) + "true };", 2, "100 expressions deep"},
		{"many operands", "\n" + head + "when { " + strings.Repeat("true && ", 300) + "true };", 2, "100 expressions deep"},
		{"endless operands", "\n" + head + "when { " + strings.Repeat("true && ", 10_000) + "true };", 2, "5,000 words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Policies([]string{file(t, "p.cedar", c.source)})
			problem(t, err, c.line, c.what)
		})
	}
}

func TestTheLeastNumberIsOne(t *testing.T) {
	for _, n := range []string{"-9223372036854775808", "- 9223372036854775808", "9223372036854775807"} {
		if _, err := Policies([]string{file(t, "p.cedar", head+"when { context.n > "+n+" };")}); err != nil {
			t.Errorf("%s: %v", n, err)
		}
	}
}

func TestEachPolicyHasAnIDOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	for name, source := range map[string]string{
		"a.cedar": head + ";" + `@id("x")` + head + ";" + head + ";",
		"b.cedar": `@id("x")` + head + ";" + `@id("a#1")` + head + ";" + `@id("x")` + head + ";",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Files([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	policies, err := Policies(files)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, p := range policies {
		ids = append(ids, p.ID)
	}
	if got := fmt.Sprint(ids); got != "[a#1 x a#3 x(b#1) a#1(b#2) x(b#3)]" {
		t.Error(got)
	}
}

func TestFiles(t *testing.T) {
	_, err := Files([]string{filepath.Join(t.TempDir(), "nowhere")})
	problem(t, err, 0, "no such file")
	_, err = Files([]string{t.TempDir()})
	problem(t, err, 0, "no file in it ends in .cedar")
	path := file(t, "p.cedar", head+";")
	got, err := Files([]string{path, filepath.Dir(path)})
	if err != nil || len(got) != 1 || got[0] != path {
		t.Errorf("%v, %v", got, err)
	}
}

func TestSchemasThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, file, source string
		line               int
		what               string
	}{
		{"no schema", "s.cedarschema", "entity User;\nentity ;;", 2, "not a Cedar schema"},
		{"no JSON", "s.json", "entity User;", 0, "not a Cedar schema"},
		{"an unknown type", "s.cedarschema", "entity User in [Nothing];", 0, "does not declare"},
		{"nothing to ask", "s.cedarschema", "entity User;", 0, "applies to anything"},
		{"many brackets", "s.cedarschema", "\n" + strings.Repeat("{", 1_000_000), 2, "100 brackets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Schema(file(t, c.file, c.source))
			problem(t, err, c.line, c.what)
		})
	}
}

func TestAPolicyThatTheSchemaRefuses(t *testing.T) {
	s, err := Schema(file(t, "s.cedarschema", schemaText))
	if err != nil {
		t.Fatal(err)
	}
	policies, err := Policies([]string{file(t, "p.cedar", head+";\n"+head+`when { context.other };`)})
	if err != nil {
		t.Fatal(err)
	}
	problem(t, Check(s, policies), 2, "does not validate")
	if err := Check(s, policies[:1]); err != nil {
		t.Error(err)
	}
}

// Tags of what has none are told, whatever the schema says of others.
func TestTagsThatNothingHas(t *testing.T) {
	for _, c := range []struct {
		name, condition string
		refused         bool
	}{
		{"of the resource", `resource.hasTag("a")`, false},
		{"of the resource, with its value", `resource.hasTag("a") && resource.getTag("a") == principal`, false},
		{"of an entity", `Doc::"d".hasTag("a")`, false},
		{"of the principal", `context.by == principal && principal.hasTag("a")`, true},
		{"of the principal's value", `principal.getTag("a") == "b"`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := schemaOf(t, owned)
			policies, err := Policies([]string{file(t, "p.cedar", "\n"+head+"when { "+c.condition+" };")})
			if err != nil {
				t.Fatal(err)
			}
			if err = Check(s, policies); c.refused {
				problem(t, err, 2, "no tags in the schema")
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	policies, err := Policies([]string{file(t, "p.cedar", head+`unless { Doc::"d".hasTag("a") };`)})
	if err != nil {
		t.Fatal(err)
	}
	problem(t, Check(schemaOf(t, schemaText), policies), 1, "no tags in the schema")
}

func schemaOf(t *testing.T, text string) *resolved.Schema {
	t.Helper()
	s, err := Schema(file(t, "s.cedarschema", text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An entity without __entity is told as what it was meant for, and a record that
// looks like one is let alone.
func TestEntitiesThatAreWrittenAsRecords(t *testing.T) {
	const (
		user  = `{"type": "User", "id": "a"}`
		right = `{"__entity": ` + user + `}`
		ask   = `[{"principal": "User::\"a\"", "action": "Action::\"see\"", "resource": "Doc::\"d\"", "context": {"by": %s},` + "\n" + ` "entities": [%s]}]`
	)
	doc := func(owner, readers, tag string) string {
		return fmt.Sprintf(`{"uid": {"type": "Doc", "id": "d"}, "attrs": {"owner": %s, "readers": [%s], "mark": {"type": "t", "id": "i"}}, "parents": [], "tags": {"t": %s}}`, owner, readers, tag)
	}
	s := schemaOf(t, owned)
	good := doc(right, right, right)
	for _, bad := range []string{doc(user, right, right), doc(right, user, right), doc(right, right, user)} {
		_, err := Entities(file(t, "e.json", "[\n"+bad+"]"), s)
		problem(t, err, 2, "without __entity it is a record")
		_, err = Cases(file(t, "r.json", fmt.Sprintf(ask, right, bad)), s)
		problem(t, err, 1, "request 1: in attributes")
	}
	_, err := Cases(file(t, "r.json", fmt.Sprintf(ask, user, good)), s)
	problem(t, err, 1, "request 1: in attributes")
	if _, err := Cases(file(t, "r.json", fmt.Sprintf(ask, right, good)), s); err != nil {
		t.Error(err)
	}
	if _, err := Entities(file(t, "e.json", "["+good+"]"), s); err != nil {
		t.Error(err)
	}
	_, err = Entities(file(t, "e.json", "["+strings.Replace(good, `"owner"`, `"other"`, 1)+"]"), s)
	if err == nil {
		t.Error("another attribute passes")
	}
}

func TestCases(t *testing.T) {
	s := schemaOf(t, schemaText)
	cases, err := Cases(file(t, "r.json", `[
	  {"principal": "User::\"a\"", "action": {"type": "Action", "id": "see"}, "resource": "Doc::\"d\"",
	   "context": {"n": 1}, "entities": [{"uid": {"type": "User", "id": "a"}, "attrs": {}, "parents": []}], "decision": "allow"}
	]`), s)
	if err != nil || len(cases) != 1 || cases[0].Decision != "allow" || cases[0].Request.Action.ID != "see" || len(cases[0].Own) != 1 || cases[0].Request.Context.Len() != 1 {
		t.Errorf("%+v, %v", cases, err)
	}
	good := `{"principal": "User::\"a\"", "action": "Action::\"see\"", "resource": "Doc::\"d\""}`
	for _, c := range []struct {
		name, source string
		line         int
		what         string
	}{
		{"no JSON", "[\n{]", 2, "a list of objects"},
		{"no list", `{}`, 0, "a list of objects"},
		{"empty", `[]`, 0, "no request"},
		{"no principal", "[" + good + `,` + "\n" + `{"action": "Action::\"see\"", "resource": "Doc::\"d\""}]`, 2, "request 2: principal"},
		{"no entity", `[{"principal": "User", "action": "Action::\"see\"", "resource": "Doc::\"d\""}]`, 1, "request 1: principal"},
		{"a decision", "[\n" + strings.TrimSuffix(good, "}") + `, "decision": "maybe"}]`, 2, "allow or deny"},
		{"a field", "[" + strings.TrimSuffix(good, "}") + `, "decides": "deny"}]`, 1, "field that is not known"},
		{"deep", strings.Repeat("[", 1_000_000), 1, "100 brackets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Cases(file(t, "r.json", c.source), s)
			problem(t, err, c.line, c.what)
		})
	}
}

func TestEntities(t *testing.T) {
	s, err := Schema(file(t, "s.cedarschema", schemaText))
	if err != nil {
		t.Fatal(err)
	}
	if e, err := Entities(file(t, "e.json", `[{"uid": {"type": "User", "id": "a"}, "attrs": {}, "parents": []}]`), s); err != nil || len(e) != 1 {
		t.Errorf("%v, %v", e, err)
	}
	good := `{"uid": {"type": "User", "id": "a"}, "attrs": {}, "parents": []}`
	for _, c := range []struct {
		name, source string
		line         int
		what         string
	}{
		{"no list", `{}`, 0, "not entities"},
		{"a byte order mark", "\ufeff[" + good + "]", 1, "byte order mark"},
		{"no JSON", "[\n{]", 2, "not entities"},
		{"no entity", "[" + good + ",\n\n{\"uid\": 7}]", 3, "no entity in Cedar's JSON"},
		{"no uid", "[\n{\"attrs\": {}}]", 2, "no entity in Cedar's JSON"},
		{"another attribute", "[\n" + strings.Replace(good, `"attrs": {}`, `"attrs": {"x": 1}`, 1) + "]", 2, "does not fit the schema"},
		{"twice", "[" + good + ",\n" + good + "]", 2, "twice"},
		{"many", "[" + strings.Repeat(`{},`, 100_000) + "\n{}]", 2, "100,000 entities"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Entities(file(t, "e.json", c.source), s)
			problem(t, err, c.line, c.what)
		})
	}
}

func TestAccepted(t *testing.T) {
	good := `{"mutant": "p/drop-policy", "digest": "d", "reason": "r", "author": "owner of the service", "date": "2026-01-31"}`
	if a, err := Accepted(file(t, "a.json", "["+good+"]")); err != nil || len(a) != 1 {
		t.Errorf("%v, %v", a, err)
	}
	for _, c := range []struct {
		name, source string
		line         int
		what         string
	}{
		{"no list", good, 0, "no list"},
		{"no JSON", "[\n{]", 2, "no list"},
		{"more", "[" + good + "] []", 0, "no list"},
		{"a field", `[{"mutants": "x"}]`, 0, "no list"},
		{"no reason", "[\n" + strings.Replace(good, `"r"`, `" "`, 1) + "]", 2, "must be said"},
		{"no date", "[\n" + strings.Replace(good, "2026-01-31", "2026-02-31", 1) + "]", 2, "date must be"},
		{"twice", "[" + good + ",\n" + good + "]", 2, "twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Accepted(file(t, "a.json", c.source))
			problem(t, err, c.line, c.what)
		})
	}
}

// Nothing that a file holds stops the program, and a refusal is one line that
// quotes nothing.
func FuzzPolicies(f *testing.F) {
	f.Add([]byte(head + `when { context.a == "\u{0}" };`))
	f.Add([]byte(`permit (principal == ?p`))
	f.Add([]byte("\"\\"))
	f.Fuzz(func(t *testing.T, source []byte) {
		list, err := Parse("f.cedar", source)
		if err != nil {
			var p *Problem
			if !errors.As(err, &p) || strings.ContainsAny(p.What, "\n\"") {
				t.Errorf("%v", err)
			}
			return
		}
		named(list)
		seen := map[string]bool{}
		for _, p := range list {
			if seen[p.ID] {
				t.Error("an id stands twice")
			}
			seen[p.ID] = true
		}
	})
}

func FuzzCases(f *testing.F) {
	f.Add([]byte(`[{"principal": "User::\"a\"", "action": {"type": "Action", "id": "see"}, "resource": "Doc::\"d\"", "context": {"n": {"__extn": {"fn": "ip", "arg": "::1"}}}}]`))
	f.Add([]byte(`[{"principal": 1}]`))
	var s schema.Schema
	if err := s.UnmarshalCedar([]byte(schemaText)); err != nil {
		f.Fatal(err)
	}
	types, err := s.Resolve()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		path := filepath.Join(t.TempDir(), "r.json")
		if err := os.WriteFile(path, source, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Cases(path, types); err != nil {
			var p *Problem
			if !errors.As(err, &p) {
				t.Errorf("%v", err)
			}
		}
	})
}
