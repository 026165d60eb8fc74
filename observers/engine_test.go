package observers

import (
	"strconv"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/events"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

// live runs the box, has a living observer look when the agent has reported,
// ends the container and collects.
func (b *box) live(o Living, planLine []byte, meanwhile func()) Report {
	b.t.Helper()
	stdin, err := b.cli.ContainerAttach(b.t.Context(), b.id, container.AttachOptions{Stream: true, Stdin: true, Stdout: true})
	must(b.t, err)
	b.t.Cleanup(stdin.Close)
	must(b.t, b.cli.ContainerStart(b.t.Context(), b.id, container.StartOptions{}))
	info, err := b.cli.ContainerInspect(b.t.Context(), b.id)
	must(b.t, err)
	o.Enter(b.id, info.State.Pid)
	pilot(b.t, o, channel.PilotBefore)
	write(b.t, stdin.Conn, string(planLine))
	if _, err := stdin.Reader.ReadString('\n'); err != nil {
		b.t.Fatal("the agent sent no report")
	}
	must(b.t, o.Look(b.t.Context()))
	pilot(b.t, o, channel.PilotAfter)
	if meanwhile != nil {
		meanwhile()
	}
	b.cli.ContainerKill(b.t.Context(), b.id, "KILL")
	return collect(b.t, o)
}

func TestEngineTellsNothingOfAnOrdinaryContainer(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	o := NewEngine(b.cli, tr.watch)
	t.Cleanup(func() { o.Close() })
	r := b.live(o, tr.plan(plan.ModeStay, map[channel.ID]string{channel.LogStderr: "", channel.EngineHealth: ""}), nil)
	sound(t, r)
	saw(t, r, nil)
	if r.Hearing.Units < 4 { // create or attach, start, die, the account
		t.Errorf("%+v", r.Hearing)
	}
}

func TestEngineTellsOfHealth(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none(), func(c *container.Config) {
		c.Healthcheck = &container.HealthConfig{Test: []string{"CMD", fixtures.AgentPath, "health"}, Interval: 200 * time.Millisecond}
	})
	o := NewEngine(b.cli, tr.watch)
	t.Cleanup(func() { o.Close() })
	r := b.live(o, tr.plan(plan.ModeStay, map[channel.ID]string{channel.EngineHealth: ""}), nil)
	sound(t, r)
	seen := r.Observations
	if len(seen) != 1 || seen[0].Channel != channel.EngineHealth || seen[0].Sightings < 1 { // as often as it was asked
		t.Errorf("%+v", seen)
	}
}

func TestEngineTellsOfRestarts(t *testing.T) {
	tr := newTrial(t)
	host := none()
	host.RestartPolicy.Name = "always"
	b := newBox(t, tr, host)
	o := NewEngine(b.cli, tr.watch)
	t.Cleanup(func() { o.Close() })
	r := b.live(o, tr.plan(plan.ModeCrash, nil), func() {
		// The agent has reported, and crashes for want of an answer to come.
		must(t, b.cli.ContainerStop(t.Context(), b.id, container.StopOptions{Timeout: new(int)}))
		must(t, b.cli.ContainerStart(t.Context(), b.id, container.StartOptions{}))
	})
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.EngineRestarted: 1})
}

func TestEngineTellsThatEvidenceIsGone(t *testing.T) {
	tr := newTrial(t)
	host := none()
	host.AutoRemove = true
	b := newBox(t, tr, host)
	o := NewEngine(b.cli, tr.watch)
	t.Cleanup(func() { o.Close() })
	r := b.live(o, tr.plan(plan.ModeStay, nil), nil)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.EngineEvidence: 1})
}

func TestEngineThatIsDeaf(t *testing.T) {
	b := newBox(t, newTrial(t), none())
	tr := newTrial(t)
	o := NewEngine(b.cli, tr.watch)
	t.Cleanup(func() { o.Close() })
	r := b.live(o, tr.plan(plan.ModeStay, nil), nil)
	if h := r.Hearing; h.Sound() || h.PilotsHeard != 0 || h.PilotsSent != 2 {
		t.Errorf("%+v", h)
	}
}

// Events that do not come are asked for again.
func TestEngineWhoseEventsBreakOff(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	o := NewEngine(b.cli, tr.watch)
	r := b.live(o, tr.plan(plan.ModeStay, nil), func() { o.Close() })
	sound(t, r)
	saw(t, r, nil)
}

// What the Engine remembers from no earlier than a container's end may lack
// what was done to it, and proves nothing.
func TestEngineThatForgot(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	o := NewEngine(b.cli, tr.watch)
	r := b.live(o, tr.plan(plan.ModeStay, nil), func() {
		o.Close()
		o.since = time.Now() // as far back as it shall remember
	})
	if r.Hearing.Sound() || r.Hearing.PilotsHeard != 1 {
		t.Errorf("%+v", r.Hearing)
	}
}

func TestEngineThatCannotLook(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	o := NewEngine(b.cli, tr.watch)
	t.Cleanup(func() { o.Close() })
	if err := o.Pilot(t.Context(), channel.PilotBefore); err == nil {
		t.Error("a pilot was heard of no container")
	}
	if _, err := o.Collect(within(t, 50*time.Millisecond)); err == nil {
		t.Error("the Engine was asked about no container")
	}
	o.Enter(b.id, 0)
	if err := o.Pilot(t.Context(), channel.NetTCP4); err == nil {
		t.Error("a channel was taken for a phase")
	}
}

func TestEventsAreSearched(t *testing.T) {
	tr := newTrial(t)
	o := NewEngine(nil, tr.watch)
	for n, e := range []events.Message{
		{Action: "exec_start: /agent " + events.Action(tr.text(channel.EngineHealth))},
		{Action: events.ActionRename, Actor: events.Actor{Attributes: map[string]string{"name": tr.text(channel.EngineHealth)}}},
		{Action: events.ActionUpdate, Actor: events.Actor{Attributes: map[string]string{tr.text(channel.EngineHealth): ""}}},
	} {
		o.hear(e)
		if o.book.seen[channel.EngineHealth] != n+1 {
			t.Errorf("event %s was not searched", strconv.Itoa(n))
		}
	}
}
