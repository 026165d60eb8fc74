package observers

import (
	"testing"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

var ipcObjects = []channel.ID{
	channel.ProcessSegment, channel.ProcessQueue, channel.ProcessSemaphore, channel.ProcessMessage, channel.ProcessShared,
}

func TestIPCObjectsOfEveryKind(t *testing.T) {
	program := openProgram(t)
	tr := newTrial(t)
	o, err := NewIPC(neighbourUID, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	at, want := map[channel.ID]string{}, map[channel.ID]int{}
	for _, id := range ipcObjects {
		at[id], want[id] = o.Addr(), 1
	}
	pilot(t, o, channel.PilotBefore)
	runAgentAs(t, program, neighbourUID, tr.plan(plan.ModeNormal, at))
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, want)
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	held, err := o.space.read(ipcAgent | neighbourUID)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range held {
		if len(b) != 0 {
			t.Errorf("object %d stays", i)
		}
	}
	if err := o.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

func TestIPCWithoutObjects(t *testing.T) {
	tr := newTrial(t)
	o, err := NewIPC(neighbourUID, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	r := collect(t, o)
	saw(t, r, nil)
	if r.Hearing.Sound() {
		t.Error("sound without a pilot")
	}
	if o.Pilot(t.Context(), "no.phase") == nil {
		t.Error("a pilot of no phase")
	}
	if _, err := NewIPC(1<<28, tr.watch, tr.pilots); err == nil {
		t.Error("a user whose number is no part of a key")
	}
}

func TestIPCThatIsDeaf(t *testing.T) {
	tr := newTrial(t)
	o, err := NewIPC(neighbourUID, newTrial(t).watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	if r := collect(t, o); r.Hearing.PilotsHeard != 0 || r.Hearing.PilotsSent != 2*ipcKinds {
		t.Errorf("%+v", r.Hearing)
	}
}

// A pilot's object that is there already is somebody else's: it proves nothing.
func TestIPCPilotThatIsThereAlready(t *testing.T) {
	tr := newTrial(t)
	o, err := NewIPC(neighbourUID, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	must(t, o.space.plant(ipcPilot|neighbourUID, tr.text(channel.NetTCP4)))
	if o.Pilot(t.Context(), channel.PilotBefore) == nil {
		t.Error("a pilot was planted over another")
	}
}
