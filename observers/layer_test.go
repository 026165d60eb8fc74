package observers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

// ofLayer are the three observers of what a container's layer holds.
func (b *box) ofLayer(tr *trial) []Attached {
	all := []Attached{NewLayer(b.cli, tr.watch, tr.pilots), NewChanges(b.cli, tr.watch, tr.pilots), NewCommit(b.cli, tr.watch, tr.pilots)}
	for _, o := range all {
		o.Attach(b.id)
		b.t.Cleanup(func() { o.Close() })
	}
	return all
}

func writable() container.HostConfig {
	return container.HostConfig{LogConfig: container.LogConfig{Type: "none"}}
}

// layerAddresses are where the agent leaves something for each of them.
func layerAddresses() map[channel.ID]string {
	return map[channel.ID]string{
		channel.FileRoot: fixtures.ScratchDir + "/f", channel.FileName: fixtures.ScratchDir + "/names",
		channel.FileXattr: fixtures.ScratchDir + "/x", channel.FileAccessed: fixtures.ScratchDir + "/a", channel.FileLinks: fixtures.ScratchDir + "/l",
	}
}

func TestLayerThatHoldsSomething(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, writable())
	all := b.ofLayer(tr)
	for _, o := range all {
		pilot(t, o, channel.PilotBefore)
	}
	b.run(tr.plan(plan.ModeNormal, layerAddresses()))
	for _, o := range all {
		pilot(t, o, channel.PilotAfter)
	}
	want := map[channel.Sink]map[channel.ID]int{
		channel.SinkLayer:   {channel.FileRoot: 1, channel.FileName: 1, channel.FileXattr: 1, channel.FileAccessed: 1, channel.FileLinks: 1},
		channel.SinkChanges: {channel.FileName: 1},
		channel.SinkCommit:  {channel.FileRoot: 1, channel.FileName: 1},
	}
	for _, o := range all {
		r := collect(t, o)
		sound(t, r)
		saw(t, r, want[o.Sink()])
		if r.Hearing.Units == 0 {
			t.Errorf("%s: nothing was read", o.Sink())
		}
	}
	left, err := os.ReadDir(all[0].(*Layer).dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() != "scratch" {
			t.Error("a pilot was left in the layer")
		}
	}
	images, err := b.cli.ImageList(t.Context(), image.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", PilotLabel+"="+tr.pilots.Before.Reveal()))})
	if err != nil || len(images) != 0 {
		t.Errorf("%d images are left, error %v", len(images), err)
	}
}

func TestLayerThatHoldsNothing(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	all := b.ofLayer(tr)
	for _, o := range all {
		pilot(t, o, channel.PilotBefore)
	}
	b.run(tr.plan(plan.ModeNormal, layerAddresses()))
	for _, o := range all {
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		saw(t, r, nil)
	}
}

// Deaf to this trial's canaries, they find no pilot: neither in the layer, nor
// in what the Engine makes of it.
func TestLayerObserversThatAreDeaf(t *testing.T) {
	for name, host := range map[string]container.HostConfig{"empty": none(), "written": writable()} {
		tr, other := newTrial(t), newTrial(t)
		b := newBox(t, tr, host)
		deaf := *other
		deaf.pilots = tr.pilots
		all := b.ofLayer(&deaf)
		for _, o := range all {
			pilot(t, o, channel.PilotBefore)
		}
		b.run(tr.plan(plan.ModeNormal, layerAddresses()))
		for _, o := range all {
			pilot(t, o, channel.PilotAfter)
			if h := collect(t, o).Hearing; h.Sound() || h.PilotsHeard != 0 {
				t.Errorf("%s, %s: %+v", name, o.Sink(), h)
			}
		}
	}
}

func TestLayerOfNothingIsAnError(t *testing.T) {
	tr := newTrial(t)
	b := newBox(t, tr, none())
	all := b.ofLayer(tr)
	if err := b.cli.ContainerRemove(t.Context(), b.id, container.RemoveOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		if err := o.Pilot(t.Context(), channel.PilotBefore); err == nil {
			t.Errorf("%s: a pilot went into what is gone", o.Sink())
		}
		if err := o.Pilot(t.Context(), channel.NetTCP4); err == nil {
			t.Errorf("%s: a channel was taken for a phase", o.Sink())
		}
		if _, err := o.Collect(t.Context()); err == nil {
			t.Errorf("%s: what is gone was looked at", o.Sink())
		}
		o.Attach("")
		if _, err := o.Collect(t.Context()); err == nil {
			t.Errorf("%s: collected from nothing", o.Sink())
		}
	}
}

// A look at the layer follows no link, and passes by the pilots of others.
func TestLayerLookStaysInside(t *testing.T) {
	tr := newTrial(t)
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	must(t, os.WriteFile(outside, []byte(tr.text(channel.FileRoot)), 0o600))
	must(t, os.Symlink(outside, filepath.Join(dir, "link")))
	must(t, os.WriteFile(filepath.Join(dir, layerPilot+"commit-"+tr.pilots.Before.Reveal()), nil, 0o600))
	l := layer{watch: tr.watch, dir: dir, sink: channel.SinkLayer}
	s, err := l.look()
	if err != nil || len(s.seen) != 0 || s.foreign != 1 {
		t.Errorf("%d canaries, %d files, error %v", len(s.seen), s.foreign, err)
	}
}
