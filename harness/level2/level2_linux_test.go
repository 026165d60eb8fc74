package level2

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"postern/fixtures"
	reference "postern/fixtures/policy"
)

// server is the path of the real tool server, which TestMain built.
var server string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "level2")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	server = filepath.Join(dir, "upstream")
	if err := fixtures.BuildUpstream(context.Background(), server); err != nil {
		panic(err)
	}
	return m.Run()
}

func options(t *testing.T) Options {
	t.Helper()
	dir, err := os.MkdirTemp("", "level2") // t.TempDir is too long for a socket's path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("%d left, %v", len(left), err)
		}
		os.RemoveAll(dir)
	})
	return Options{Upstream: server, Dir: dir}
}

func drive(t *testing.T, p *Plan) Report {
	t.Helper()
	report, err := p.Drive(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func plan(t *testing.T) *Plan {
	t.Helper()
	p, err := NewPlan(t.Context(), reference.Reference())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// No gateway is ever asked about another agent: it is a constant.
var unasked = []string{"permit-approved-tools/widen-scope@principal"}

func TestEveryMutantOfTheReferenceIsKilledThroughTheRealPath(t *testing.T) {
	report := drive(t, plan(t))
	var out []string
	killed, directions := map[Layer]int{}, map[Direction]int{}
	for _, row := range report.Rows {
		for _, d := range row.Driven {
			if directions[d.Direction]++; d.Err != nil {
				t.Errorf("%s: %v", row.Mutant, d.Err)
			}
			if _, own := d.Mutant.Exhaust.at(d.Place); d.Original.Exhaust != (Exhaust{}) || d.Mutant.Exhaust != (Exhaust{}) && !own {
				t.Errorf("%s: the gateway wrote what it should not, %+v and %+v", row.Mutant, d.Original.Exhaust, d.Mutant.Exhaust)
			}
		}
		if row.Why == "" || row.Operator == "" || row.Layer == "" {
			t.Errorf("%+v is not described", row)
		}
		undriven := len(row.Driven) == 0 && row.Operator != "duplicate-id" // no check is behind the compiler's: the decisions are the same
		if row.Dead || (row.Status == Stillborn || row.Status == KilledByOther) && undriven {
			t.Errorf("%s: nothing depends on it, or it was not driven", row.Mutant)
		}
		switch row.Status {
		case Killed:
			if killed[row.Layer]++; len(row.Driven) == 0 {
				t.Errorf("%s is killed, and was not driven", row.Mutant)
			}
		case NotApplicable:
			out = append(out, row.Mutant)
		case Equivalent, KilledByOther, Stillborn: // no decision changes, or nothing opens
		default:
			t.Errorf("%s: %s, %+v", row.Mutant, row.Status, row.Driven)
		}
	}
	if slices.Sort(out); !slices.Equal(out, unasked) {
		t.Errorf("unasked: %q", out)
	}
	for _, l := range Layers() {
		if killed[l] == 0 {
			t.Errorf("no mutant of %s is killed", l)
		}
	}
	if directions[Widens] < 90 || directions[Narrows] < 70 {
		t.Errorf("%v", directions)
	}
	t.Logf("%d mutants: %v; killed: %v; witnesses: %v; %d sessions over %d servers",
		len(report.Rows), Counts(report.Rows), killed, directions, report.Sessions, report.Servers)
}

// A forbid that fails, because an attribute was left out, is what two mutants
// are killed by: the errors are ignored, or the request is not validated.
func TestAForbidThatFailsKillsTwoMutants(t *testing.T) {
	p, chosen := plan(t), &Plan{}
	for i, row := range p.Rows {
		if row.Mutant == "errors/ignored" || row.Mutant == "validation/request-off" {
			chosen.Rows, chosen.witnesses = append(chosen.Rows, row), append(chosen.witnesses, p.witnesses[i])
		}
	}
	shared := 0
	for i, row := range drive(t, chosen).Rows {
		if row.Status != Killed {
			t.Errorf("%s: %s", row.Mutant, row.Status)
		}
		for j, w := range chosen.witnesses[i] {
			if strings.Contains(string(w.original.config.Policy.Policies), purpose) {
				if shared++; row.Driven[j].Direction != Widens || !row.Driven[j].Opened {
					t.Errorf("%s: %+v", row.Mutant, row.Driven[j])
				}
			}
		}
	}
	if shared != 2 {
		t.Errorf("%d witnesses have the forbid", shared)
	}
}

// one is one mutant of the reference's ceilings, or of the code.
func one(t *testing.T, mutant string) planned {
	t.Helper()
	plans, err := ceilingPlans(reference.Reference(), new(Proof))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(plans, codePlans(reference.Reference())...) {
		if p.row.Mutant == mutant {
			return p
		}
	}
	t.Fatalf("there is no mutant %s", mutant)
	return planned{}
}

// What must not kill does not.
func TestWhatKillsNoMutant(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*witness)
		want  Status
	}{
		{"nothing is spoilt", func(*witness) {}, Killed},
		{"the mutant is the original", func(w *witness) { w.mutant = w.original }, Survived},
		{"the original is the mutant", func(w *witness) { w.original = w.mutant }, Survived},
		{"it was to narrow", func(w *witness) { w.direction = Narrows }, Survived},
		{"the tool server dies", func(w *witness) { w.asks.around.server = dies }, Inconclusive},
		{"the tool server is none", func(w *witness) { w.asks.around.server = "no-such-mode" }, Error},
		{"the tool is defined otherwise", func(w *witness) {
			w.mutant.config = w.mutant.config.Clone()
			w.mutant.config.Catalogue[0].Definition = noPin
		}, Inconclusive},
		{"the policies deny what the ceiling is to", func(w *witness) {
			w.original.config = w.original.config.Clone()
			w.original.config.Policy.Policies = []byte(`@id("none") forbid (principal, action, resource);`)
		}, Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := one(t, "ceiling/public/raised")
			c.spoil(&m.witnesses[0])
			p := &Plan{}
			p.add(m)
			row := drive(t, p).Rows[0]
			if row.Status != c.want || (row.Driven[0].Err != nil) != (c.want == Error) {
				t.Errorf("%s, want %s: %+v", row.Status, c.want, row.Driven)
			}
		})
	}
}

// A server that is gone has refused no version, and one whose version is fine is
// no witness of what becomes of one that is not.
func TestOnlyAVersionIsRefusedForItsVersion(t *testing.T) {
	for mode, want := range map[string]Status{skews: Killed, dies: Inconclusive, "": Survived, "no-such-mode": Error} {
		m := one(t, "catalogue/any-version")
		m.witnesses[0].asks.around.server = mode
		p := &Plan{}
		p.add(m)
		if row := drive(t, p).Rows[0]; row.Status != want {
			t.Errorf("%q: %s, want %s: %+v", mode, row.Status, want, row.Driven)
		}
	}
}

// A session is led once for all witnesses that ask the original the same.
func TestOriginalsAreShared(t *testing.T) {
	p := &Plan{}
	p.add(one(t, "ceiling/public/raised"))
	p.add(one(t, "ceiling/public/raised"))
	p.add(one(t, "ceiling/public/top"))
	if r := drive(t, p); r.Sessions != 3 || r.Servers != 3 {
		t.Errorf("%d sessions over %d servers", r.Sessions, r.Servers)
	}
}
