package level2

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	reference "postern/fixtures/policy"
	"postern/gateway/frame"
)

// A weakness without a mutant would be one that nobody drives.
func TestEveryWeaknessOfTheDecoderHasAMutant(t *testing.T) {
	var ids []string
	driven := map[frame.Weakness]bool{}
	for _, m := range frameMutants() {
		ids, driven[m.weak] = append(ids, m.id), true
	}
	fields := reflect.TypeFor[frame.Weakness]()
	for i := range fields.NumField() {
		var w frame.Weakness
		reflect.ValueOf(&w).Elem().Field(i).SetBool(true)
		if !driven[w] {
			t.Errorf("%s is not driven", fields.Field(i).Name)
		}
	}
	if slices.Sort(ids); len(slices.Compact(ids)) != len(frameMutants()) {
		t.Error("two mutants have one id")
	}
}

func TestALineIsSpeltForItsTool(t *testing.T) {
	for _, c := range []struct {
		line, want string
		limit      int
	}{
		{call, `{"operation":"do","arguments":{"text":"secret"}}`, 0},
		{`DO FILLCANARY`, "do " + strings.Repeat(" ", 12) + "secret", 20},
	} {
		if got := string(spell(c.line, "do", "secret", c.limit)); got != c.want+"\n" {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := len(spell("FILL", "do", "secret", 0)); got != frame.DefaultBytes+2 {
		t.Errorf("%d bytes and an LF, without a limit", got)
	}
}

func TestWithoutAPermittedToolNoFrameIsDriven(t *testing.T) {
	c := reference.Reference()
	c.Aliases = nil
	for _, p := range framePlans(c) {
		if p.row.Status != NotApplicable || len(p.witnesses) > 0 {
			t.Errorf("%s: %s", p.row.Mutant, p.row.Status)
		}
	}
}

// The strict decoder in the mutant's place kills nothing, and neither does another
// weakness.
func TestOnlyItsOwnWeaknessKills(t *testing.T) {
	d, err := newDriver(options(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range framePlans(reference.Reference()) {
		w := p.witnesses[0]
		switch w.weak {
		case frame.Weakness{Batches: true}, frame.Weakness{LineSeparators: true}:
		default:
			continue // these two stand for all: one place, two directions
		}
		for _, weak := range []frame.Weakness{{}, {KeptNUL: true}} {
			w.weak = weak
			if got := d.both(t.Context(), p.row, w); got.Status != Survived {
				t.Errorf("%s: %+v", p.row.Mutant, got)
			}
		}
	}
}

// A stream that goes on after a call does not change what the first came to.
func TestTheWordIsThatOfTheFirstCall(t *testing.T) {
	d, err := newDriver(options(t))
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]Heard{
		call:               {Sound: true, Calls: 1, Sightings: 1},
		call + "\n{}":      {Sound: true, Calls: 1, Sightings: 1},
		call + "\n" + call: {Sound: true, Calls: 2, Sightings: 2},
		"{}\n" + call:      {Sound: true, Code: refused},
		`{"operation":"no","arguments":{}}` + "\n" + call: {Sound: true, Calls: 1, Sightings: 1, Code: "unknown-operation"},
	} {
		q, ok := permitted(reference.Reference())
		if q.line = line; !ok {
			t.Fatal("the reference permits no call")
		}
		c := reference.Reference()
		if got, err := d.session(t.Context(), c, q, frame.Weakness{}); err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
}
