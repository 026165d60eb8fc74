package observers

import (
	"testing"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

// printed has a process run beside an agent that has left its file, or none.
func printed(t *testing.T, tr, hears *trial, left ...channel.ID) Report {
	t.Helper()
	b := newBox(t, tr, none())
	addresses := map[channel.ID]string{}
	for _, id := range left {
		addresses[id] = ""
	}
	o := NewExec(b.cli, hears.watch, tr.pilots)
	o.Enter(b.id, b.alive(tr.plan(plan.ModeNormal, addresses)))
	if err := o.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	return collect(t, o)
}

func TestExec(t *testing.T) {
	tr := newTrial(t)
	r := printed(t, tr, tr, channel.EngineExec)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.EngineExec: 1})
}

func TestExecWhereNothingIsLeft(t *testing.T) {
	tr := newTrial(t)
	r := printed(t, tr, tr)
	sound(t, r)
	saw(t, r, nil)
}

func TestExecThatIsDeaf(t *testing.T) {
	r := printed(t, newTrial(t), newTrial(t), channel.EngineExec)
	if h := r.Hearing; h.Sound() || h.PilotsHeard != 0 {
		t.Errorf("%+v", h)
	}
}

func TestExecWithoutAContainerIsAnError(t *testing.T) {
	tr := newTrial(t)
	o := NewExec(engine(t), tr.watch, tr.pilots)
	for _, pid := range []int{0, -1, 1 << 29} {
		o.Enter("", pid)
		if err := o.Pilot(t.Context(), channel.PilotBefore); err == nil {
			t.Errorf("%d: a pilot was put into nothing", pid)
		}
		if err := o.Look(t.Context()); err == nil {
			t.Errorf("%d: nothing was looked at", pid)
		}
	}
}
