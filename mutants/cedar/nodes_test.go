package cedar

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// sourceOf parses a folder of cedar-go's source, the one that is compiled in.
func sourceOf(t *testing.T, folder string) []*ast.File {
	t.Helper()
	file, _ := runtime.FuncForPC(reflect.ValueOf(xast.Permit).Pointer()).FileLine(reflect.ValueOf(xast.Permit).Pointer())
	names, err := filepath.Glob(filepath.Join(filepath.Dir(file), folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no source of cedar-go's: %v", err)
	}
	var out []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// withMethod lists the types that have a method, themselves or by embedding.
func withMethod(files []*ast.File, method string) map[string]bool {
	out := map[string]bool{}
	embeds := map[string][]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && d.Name.Name == method {
					if name, ok := d.Recv.List[0].Type.(*ast.Ident); ok {
						out[name.Name] = true
					}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						embeds[s.Name.Name] = embedded(s)
					}
				}
			}
		}
	}
	for name, list := range embeds {
		if slices.ContainsFunc(list, func(e string) bool { return out[e] }) {
			out[name] = true
		}
	}
	return out
}

func embedded(s *ast.TypeSpec) []string {
	t, ok := s.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	var out []string
	for _, field := range t.Fields.List {
		if name, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 {
			out = append(out, name.Name)
		}
	}
	return out
}

// Whatever kind of node cedar-go has, the sample of every kind has one; so that
// a new one is either mutated or said not to be.
func TestTheSampleHasEveryKindOfNodeThatCedarHas(t *testing.T) {
	here := map[string]bool{}
	Walk(set(t, everything).Policies[0].Tree.Conditions[0].Body, nil, func(_ Path, n Node) { here[reflect.TypeOf(n).Name()] = true })
	known := withMethod(sourceOf(t, "."), "isNode")
	if len(known) < 30 {
		t.Fatalf("only %d kinds of node were found in cedar-go", len(known))
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if !here[name] {
			t.Errorf("the sample has no %s", name)
		}
	}
}

func TestEveryKindOfScopeIsMutatedOrSaidNotToBe(t *testing.T) {
	here := map[string]bool{}
	for _, source := range []string{
		`permit (principal, action, resource);`,
		`permit (principal == A::"a", action == Action::"a", resource is A);`,
		`permit (principal in A::"a", action in Action::"a", resource is A in A::"b");`,
		`permit (principal, action in [Action::"a", Action::"b"], resource);`,
	} {
		s := set(t, source)
		mutants, left := s.Mutants(0)
		tree := s.Policies[0].Tree
		for place, scope := range map[string]xast.IsScopeNode{"principal": tree.Principal, "action": tree.Action, "resource": tree.Resource} {
			here[reflect.TypeOf(scope).Name()] = true
			changed := slices.ContainsFunc(mutants, func(m Mutant) bool { return len(m.At) > 0 && m.At[0] == place })
			if _, all := scope.(xast.ScopeTypeAll); changed == all {
				t.Errorf("%s of %s: changed %v", place, source, changed)
			}
		}
		open := strings.Contains(source, "(principal,")
		if said := slices.ContainsFunc(left, func(l Left) bool { return l.Kind == openScope }); said != open {
			t.Errorf("%s: that a part of its scope is open is said: %v", source, said)
		}
	}
	for name := range withMethod(sourceOf(t, "."), "isScope") {
		if !here[name] {
			t.Errorf("no policy of this test has a %s", name)
		}
	}
}

// The functions of extensions, as cedar-go's parser knows them.
func TestEveryFunctionOfAnExtensionHasAKind(t *testing.T) {
	found := 0
	for _, f := range sourceOf(t, "../../../internal/extensions") {
		ast.Inspect(f, func(n ast.Node) bool {
			pair, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if key, ok := pair.Key.(*ast.BasicLit); ok {
				found++
				if name, _ := strconv.Unquote(key.Value); !slices.Contains(Kinds(), name) {
					t.Errorf("%s is in no list", name)
				}
			}
			return true
		})
	}
	if found < 20 {
		t.Errorf("only %d functions were found in cedar-go", found)
	}
}
