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
	t.Cleanup(func() { os.RemoveAll(dir) })
	return Options{Subject: reference.Reference(), Upstream: server, Dir: dir}
}

// No gateway is ever asked about an unknown label, nor for another agent: the
// first is refused when a session begins, the second is a constant.
var unasked = []string{
	"forbid-unknown-sensitivity/constant-false@when[0]", "forbid-unknown-sensitivity/constant@when[0].right",
	"forbid-unknown-sensitivity/drop-policy", "forbid-unknown-sensitivity/flip-effect", "permit-approved-tools/widen-scope@principal",
}

func TestEveryMutantOfTheReferenceIsKilledThroughTheRealPath(t *testing.T) {
	report, err := Run(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	killed, directions := map[string]int{}, map[Direction]int{}
	for _, row := range report.Rows {
		for _, d := range row.Driven {
			if directions[d.Direction]++; d.Err != nil {
				t.Errorf("%s: %v", row.Mutant, d.Err)
			}
		}
		if row.Why == "" || row.Operator == "" || row.Layer == "" {
			t.Errorf("%+v is not described", row)
		}
		switch row.Status {
		case Killed:
			killed[strings.Split(row.Mutant, "/")[0]]++
			if len(row.Driven) == 0 {
				t.Errorf("%s is killed, and was not driven", row.Mutant)
			}
		case NotApplicable:
			if row.Reason == Unasked {
				out = append(out, row.Mutant)
			}
		case Equivalent, KilledByOther, Stillborn: // no decision changes, or nothing opens
		default:
			t.Errorf("%s: %s, %+v", row.Mutant, row.Status, row.Driven)
		}
	}
	if slices.Sort(out); !slices.Equal(out, unasked) {
		t.Errorf("unasked: %q", out)
	}
	for _, of := range []string{
		"permit-approved-tools", "forbid-retired-tools", "forbid-unknown-sensitivity", "forbid-unknown-sink", "forbid-restricted-outside-vault",
		"ceiling", "lattice", "unknown", "frame",
	} {
		if killed[of] == 0 {
			t.Errorf("no mutant of %s is killed", of)
		}
	}
	if directions[Widens] < 45 || directions[Narrows] < 50 {
		t.Errorf("%v", directions)
	}
	t.Logf("%d mutants: %v; witnesses: %v; %d sessions", len(report.Rows), report.Counts(), directions, report.Sessions)
}

// one is a witness of one mutant of the reference's ceilings, and a driver for it.
func one(t *testing.T, mutant string) (*driver, Row, witness) {
	t.Helper()
	o := options(t)
	d, err := newDriver(o)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := ceilingPlans(o.Subject)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plans {
		if p.row.Mutant == mutant {
			return d, p.row, p.witnesses[0]
		}
	}
	t.Fatalf("there is no mutant %s", mutant)
	return nil, Row{}, witness{}
}

// What must not kill does not.
func TestWhatKillsNoMutant(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*driver, *witness)
		want  Status
	}{
		{"nothing is spoilt", func(*driver, *witness) {}, Killed},
		{"the mutant is the original", func(_ *driver, w *witness) { w.mutant = w.original }, Survived},
		{"the original is the mutant", func(_ *driver, w *witness) { w.original = w.mutant }, Survived},
		{"it was to narrow", func(_ *driver, w *witness) { w.direction = Narrows }, Survived},
		{"the tool server dies", func(d *driver, _ *witness) { d.server.Env = []string{"POSTERN_MODE=die"} }, Inconclusive},
		{"the tool server is another", func(d *driver, _ *witness) { d.server.SHA256 = strings.Repeat("0", 64) }, Error},
		{"the tool is defined otherwise", func(_ *driver, w *witness) {
			w.mutant = w.mutant.Clone()
			w.mutant.Catalogue[0].Definition = strings.Repeat("0", 64)
		}, Error},
		{"the policies deny what the ceiling is to", func(_ *driver, w *witness) {
			w.original = w.original.Clone()
			w.original.Policy.Policies = []byte(`@id("none") forbid (principal, action, resource);`)
		}, Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, row, w := one(t, "ceiling/public/raised")
			c.spoil(d, &w)
			if got := d.both(t.Context(), row, w); got.Status != c.want || (got.Err != nil) != (c.want == Error) {
				t.Errorf("%s, want %s: %+v", got.Status, c.want, got)
			}
		})
	}
}

// A session is led once for all witnesses that ask the original the same, and
// leaves nothing behind.
func TestOriginalsAreSharedAndDirectoriesGo(t *testing.T) {
	d, row, w := one(t, "ceiling/public/raised")
	for range 2 {
		if got := d.both(t.Context(), row, w); got.Status != Killed {
			t.Fatalf("%+v", got)
		}
	}
	if n := d.sessions.Load(); n != 3 {
		t.Errorf("%d sessions", n)
	}
	left, err := os.ReadDir(d.dir)
	if err != nil || len(left) > 0 {
		t.Errorf("%d left, %v", len(left), err)
	}
}
