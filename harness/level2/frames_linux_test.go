package level2

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	reference "postern/fixtures/policy"
	"postern/gateway"
	"postern/gateway/frame"
	"postern/gateway/sensitivity"
)

// A weakness without a mutant would be one that nobody drives. Those of labels
// are made in mutants/ceilings, which has a test of its own.
func TestEveryWeaknessHasAMutant(t *testing.T) {
	driven := map[string]bool{}
	for _, m := range codeMutants() {
		for _, field := range set(reflect.ValueOf(m.weak), "") {
			driven[field] = true
		}
	}
	for _, field := range fields(reflect.TypeFor[gateway.Weakness](), "") {
		if !driven[field] && !strings.HasPrefix(field, "Labels.") {
			t.Errorf("%s is not driven", field)
		}
	}
	if len(driven) < 35 {
		t.Errorf("%d weaknesses", len(driven))
	}
}

// A mutant of the code weakens one check.
func TestAMutantOfTheCodeIsOneWeakness(t *testing.T) {
	for _, m := range codeMutants() {
		if n := set(reflect.ValueOf(m.weak), ""); len(n) != 1 {
			t.Errorf("%s weakens %v", m.id, n)
		}
		if _, exhaust := (Exhaust{}).at(m.place); m.layer == "" || m.stop == "" && !exhaust && m.place != AtAgent && m.place != AtWire {
			t.Errorf("%s says too little", m.id)
		}
	}
}

func fields(of reflect.Type, at string) []string {
	var out []string
	for i := range of.NumField() {
		if f := of.Field(i); f.Type.Kind() == reflect.Struct {
			out = append(out, fields(f.Type, at+f.Name+".")...)
		} else {
			out = append(out, at+f.Name)
		}
	}
	return out
}

func set(v reflect.Value, at string) []string {
	var out []string
	for i := range v.NumField() {
		if name := at + v.Type().Field(i).Name; v.Field(i).Kind() == reflect.Struct {
			out = append(out, set(v.Field(i), name+".")...)
		} else if !v.Field(i).IsZero() {
			out = append(out, name)
		}
	}
	return out
}

func TestALineIsSpeltForItsTool(t *testing.T) {
	for _, c := range []struct {
		line, want string
		limit      int
	}{
		{call, `{"operation":"do","arguments":{"text":"secret"}}`, 0},
		{`DO FILLCANARY`, "do " + strings.Repeat(" ", 12) + "secret", 20},
		{`LONG`, strings.Repeat("x", 32<<10), 0},
	} {
		if got := string(spell(c.line, "do", "secret", c.limit)); got != c.want+"\n" {
			t.Errorf("%d bytes, want %q", len(got), c.want)
		}
	}
	if got := len(spell("FILL", "do", "secret", 0)); got != frame.DefaultBytes+2 {
		t.Errorf("%d bytes and an LF, without a limit", got)
	}
}

func TestWithoutAPermittedToolNoCodeIsDriven(t *testing.T) {
	c := reference.Reference()
	c.Aliases = nil
	for _, p := range codePlans(c) {
		if p.row.Status != NotApplicable || len(p.witnesses) > 0 {
			t.Errorf("%s: %s", p.row.Mutant, p.row.Status)
		}
	}
}

// The strict code in the mutant's place kills nothing, and neither does another
// weakness.
func TestOnlyItsOwnWeaknessKills(t *testing.T) {
	strict, other := gateway.Weakness{}, gateway.Weakness{Labels: sensitivity.Weakness{Collapsed: "no-such-label"}}
	for _, weak := range []gateway.Weakness{strict, other} {
		p := &Plan{}
		for _, m := range codePlans(reference.Reference()) {
			for i := range m.witnesses {
				m.witnesses[i].mutant.weak = both(weak, m.witnesses[i].original.weak)
				if weak == strict {
					m.witnesses[i].mutant.weak = m.witnesses[i].original.weak
				}
			}
			p.add(m)
		}
		for _, row := range drive(t, p).Rows {
			if row.Status != Survived {
				t.Errorf("%s: %s %+v", row.Mutant, row.Status, row.Driven)
			}
		}
	}
}

// A stream that goes on after a call does not change what the first came to.
func TestTheWordIsThatOfTheFirstCall(t *testing.T) {
	for line, want := range map[string]Heard{
		call:               {Sound: true, Calls: 1, Sightings: 1, Told: 1},
		call + "\n{}":      {Sound: true, Calls: 1, Sightings: 1, Told: 1},
		call + "\n" + call: {Sound: true, Calls: 2, Sightings: 2, Told: 2},
		"{}\n" + call:      {Sound: true, Code: refused},
		`{"operation":"no","arguments":{}}` + "\n" + call: {Sound: true, Calls: 1, Sightings: 1, Code: "unknown-operation", Told: 2},
	} {
		q, ok := permitted(reference.Reference())
		if q.line = line; !ok {
			t.Fatal("the reference permits no call")
		}
		s := subject{config: reference.Reference()}
		p := &Plan{}
		p.add(planned{witnesses: []witness{{asks: q, original: s, mutant: s}}})
		if got := drive(t, p).Rows[0].Driven[0]; got.Err != nil || got.Original != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// Several sessions share one server, and no more servers are started than needed.
func TestSessionsAreBatched(t *testing.T) {
	q, _ := permitted(reference.Reference())
	p := &Plan{}
	modes := map[string]int{"": 9, lists: 2, dies: 2}
	for mode, n := range modes {
		for i := range n {
			q.around.server, q.line = mode, call+strings.Repeat(" ", i) // each a session of its own
			s := subject{config: reference.Reference()}
			p.add(planned{witnesses: []witness{{asks: q, original: s, mutant: s}}})
		}
	}
	d, err := newDriver(Options{Upstream: server, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, ws := range p.witnesses {
		d.plan(ws[0].original, ws[0].asks, false)
		d.plan(ws[0].mutant, ws[0].asks, false)
	}
	var sizes []int
	for _, b := range d.batches() {
		sizes = append(sizes, len(b))
	}
	if slices.Sort(sizes); !slices.Equal(sizes, []int{1, 1, 2, 4, 5}) {
		t.Errorf("batches of %v", sizes)
	}
}
