package observers

import (
	"os"
	"path/filepath"
	"testing"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

func TestRoom(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(elsewhere, "big"), make([]byte, 1<<20), 0o600))
	must(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "a/b/f"), make([]byte, 1000), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "g"), make([]byte, 24), 0o600))
	must(t, os.Symlink(elsewhere, filepath.Join(dir, "link")))
	files, bytes, err := room(dir)
	if files != 6 || bytes != 1024 || err != nil {
		t.Errorf("%d files, %d bytes, %v", files, bytes, err)
	}
	if _, _, err := room(filepath.Join(dir, "none")); err == nil {
		t.Error("a layer that is not there was measured")
	}
}

func TestDiskOfAContainer(t *testing.T) {
	for _, c := range []struct {
		readonly bool
		want     map[channel.ID]int
	}{{true, nil}, {false, map[channel.ID]int{channel.ResourceDisk: 1}}} {
		tr := newTrial(t)
		host := none()
		host.ReadonlyRootfs = c.readonly
		b := newBox(t, tr, host)
		o := NewDisk(b.cli, 1<<20, tr.watch)
		o.Attach(b.id)
		pilot(t, o, channel.PilotBefore)
		b.run(tr.plan(plan.ModeNormal, map[channel.ID]string{channel.ResourceDisk: fixtures.ScratchDir + "/room"}))
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		saw(t, r, c.want)
	}
}

func TestDiskThatIsDeaf(t *testing.T) {
	b := newBox(t, newTrial(t), none())
	o := NewDisk(b.cli, 1<<20, newTrial(t).watch)
	o.Attach(b.id)
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	if h := collect(t, o).Hearing; h.Sound() || h.PilotsHeard != 0 || h.PilotsSent != 2 {
		t.Errorf("%+v", h)
	}
}

func TestDiskThatCannotLook(t *testing.T) {
	o := NewDisk(engine(t), 1<<20, newTrial(t).watch)
	for _, phase := range []channel.ID{channel.PilotBefore, channel.NetTCP4} {
		if err := o.Pilot(t.Context(), phase); err == nil {
			t.Errorf("%s was heard of no container", phase)
		}
	}
	if _, err := o.Collect(t.Context()); err == nil {
		t.Error("no container was measured")
	}
}
