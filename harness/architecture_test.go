package harness

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rank is the one place that says who stands above whom (DESIGN: imports run
// strictly downward between top-level folders).
var rank = map[string]int{"fixtures": 0, "gateway": 0, "reports": 0, "observers": 1, "mutants": 2, "harness": 3}

// Packages of rank 0 that may look sideways, and where to. The trusted
// gateway and the evidence look nowhere.
var sideways = map[string]string{"fixtures": "gateway"}

func TestImportsRunDownward(t *testing.T) {
	seen := 0
	eachFile(t, parser.ImportsOnly, func(path string, f *ast.File) {
		from := strings.Split(path, "/")[0]
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			rest, ours := strings.CutPrefix(imported, "postern/")
			to := strings.Split(rest, "/")[0]
			if !ours || from == to || strings.HasSuffix(from, ".go") {
				continue
			}
			seen++
			if _, known := rank[to]; !known {
				t.Errorf("%s imports %s, which is no top-level folder of the design", path, imported)
			}
			if rank[to] >= rank[from] && sideways[from] != to {
				t.Errorf("%s (rank %d) imports %s (rank %d)", path, rank[from], imported, rank[to])
			}
		}
	})
	if seen < 10 {
		t.Errorf("only %d imports of ours were seen: the walk is broken", seen)
	}
}

// The oracle must stay a pure function of observations.
func TestOracleImportsOnlyObservations(t *testing.T) {
	eachFile(t, parser.ImportsOnly, func(path string, f *ast.File) {
		if !strings.HasPrefix(path, "harness/oracle/") || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, spec := range f.Imports {
			switch imported, _ := strconv.Unquote(spec.Path.Value); imported {
			case "slices", "postern/observers", "postern/fixtures/channel":
			default:
				t.Errorf("%s imports %s", path, imported)
			}
		}
	})
}

// Admission may be waived in one place: where the harness runs a mutant that
// admission has refused for its own control.
func TestOnlyTheHarnessWaivesAdmission(t *testing.T) {
	var places []string
	eachFile(t, 0, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return // the gateway's own tests waive to see what Waive does
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Waive" {
					places = append(places, path)
				}
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					if sel, ok := left.(*ast.SelectorExpr); ok && sel.Sel.Name == "Waive" {
						places = append(places, path)
					}
				}
			}
			return true
		})
	})
	if len(places) != 1 || places[0] != "harness/trial.go" {
		t.Errorf("admission is waived in %v, want harness/trial.go alone", places)
	}
}

// What takes a check of the gateway's code away is made where it is defined,
// where a weak gateway is put together, and in the harness; what compares labels
// in memory makes a weak session too. No other place gives a session a weakness.
func TestOnlyTheHarnessWeakensTheGateway(t *testing.T) {
	weak := map[string]string{
		"NewWeakReader":     "gateway/bridge/intake.go gateway/frame/weakness.go harness/level2/serve.go",
		"CompileWeak":       "gateway/policy/weakness.go gateway/weakness.go harness/level2/policies.go",
		"NewWeakSession":    "gateway/sensitivity/weakness.go gateway/weakness.go mutants/ceilings/rules.go",
		"AgainWeak":         "gateway/weakness.go harness/level2/serve.go",
		"NewWeak":           "gateway/mcpserver/weakness.go harness/level2/client.go",
		"WithBeside":        "gateway/upstream/beside.go harness/level2/client.go",
		"FailSync":          "gateway/audit/audittest/sync_linux.go",
		"WithoutSync":       "gateway/audit/audittest/sync_linux.go gateway/audit/audittest/sync_other.go harness/level2/serve.go",
		"StartWeak":         "gateway/upstream/weakness.go gateway/weakness.go",
		"ListWeak":          "gateway/upstream/weakness.go gateway/weakness.go",
		"PinnedWeak":        "gateway/upstream/weakness.go gateway/weakness.go",
		"OpenWeak":          "gateway/weakness.go harness/level2/serve.go",
		"OpenWeakLog":       "gateway/audit/weakness.go gateway/weakness.go",
		"OpenWeakTelemetry": "gateway/telemetry/telemetry.go gateway/telemetry/weakness.go gateway/weakness.go",
		"GuardWeakness":     "gateway/upstream/guard.go mutants/guard_profile.go",
		"Weakened":          "gateway/session.go gateway/session_run.go harness/contain.go",
	}
	seen := map[string][]string{}
	eachFile(t, 0, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && weak[name.Name] != "" {
				seen[name.Name] = append(seen[name.Name], path)
			}
			return true
		})
	})
	for name, want := range weak {
		slices.Sort(seen[name])
		if got := strings.Join(slices.Compact(seen[name]), " "); got != want {
			t.Errorf("%s is in %s, want %s", name, got, want)
		}
	}
}

// A canary leaves its redacting type only where bytes must: the plan, the
// pilots, the matcher, and the frame of a witness.
func TestFewPlacesRevealACanary(t *testing.T) {
	eachFile(t, 0, func(path string, f *ast.File) {
		if strings.HasPrefix(path, "observers/") || strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Reveal" && path != "harness/canaries.go" && path != "harness/level2/drive.go" {
				t.Errorf("%s reveals a canary", path)
			}
			return true
		})
	})
}

// eachFile visits every Go file of the module by its slash-separated path
// below the root.
func eachFile(t *testing.T, mode parser.Mode, visit func(path string, f *ast.File)) {
	t.Helper()
	set := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(set, path, nil, mode)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(rel), f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
