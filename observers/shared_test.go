package observers

import (
	"os"
	"path/filepath"
	"testing"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

// shared is an observer of something at a path, and the agent's channel to it.
type shared struct {
	make    func(path string, tr *trial) (Observer, error)
	channel channel.ID
}

func allShared() map[string]shared {
	return map[string]shared{
		"socket": {func(path string, tr *trial) (Observer, error) { return NewSocket(path, tr.watch, tr.pilots) }, channel.FileSocket},
		"pipe":   {func(path string, tr *trial) (Observer, error) { return NewPipe(path, tr.watch, tr.pilots) }, channel.FilePipe},
		"daemon": {func(path string, tr *trial) (Observer, error) {
			return NewDaemon(path, os.Getgid(), tr.watch, tr.pilots)
		}, channel.FileEngine},
	}
}

// sharedPath is in a directory of its own, as in a trial.
func sharedPath(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "d")
	must(t, os.Mkdir(dir, 0o755))
	return filepath.Join(dir, "x")
}

func TestSharedFilesHearTheAgent(t *testing.T) {
	for name, s := range allShared() {
		tr := newTrial(t)
		path := sharedPath(t)
		o, err := s.make(path, tr)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		pilot(t, o, channel.PilotBefore)
		runAgent(t, tr.plan(plan.ModeNormal, map[channel.ID]string{s.channel: path}))
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		saw(t, r, map[channel.ID]int{s.channel: 1})
		if err := o.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := o.Close(); err != nil {
			t.Errorf("%s, closed twice: %v", name, err)
		}
	}
}

func TestSharedFilesThatNobodyHears(t *testing.T) {
	for name, s := range allShared() {
		tr, other := newTrial(t), newTrial(t)
		deaf := *other
		deaf.pilots = tr.pilots
		o, err := s.make(sharedPath(t), &deaf)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer o.Close()
		for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
			if err := o.Pilot(InVain(t.Context()), phase); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if h := collect(t, o).Hearing; h.Sound() || h.PilotsHeard != 0 || h.PilotsSent != 2 {
			t.Errorf("%s: %+v", name, h)
		}
		if err := o.Pilot(t.Context(), s.channel); err == nil {
			t.Errorf("%s: a channel was taken for a phase", name)
		}
	}
}

func TestSharedFilesThatAreThereAlready(t *testing.T) {
	for name, s := range allShared() {
		path := sharedPath(t)
		must(t, os.WriteFile(path, nil, 0o600))
		if o, err := s.make(path, newTrial(t)); err == nil {
			o.Close()
			t.Errorf("%s: took what was there", name)
		}
	}
}

// One who holds the pipe open when the trial is over may have more to say.
func TestPipeThatDoesNotEndIsADrop(t *testing.T) {
	tr := newTrial(t)
	path := sharedPath(t)
	o, err := NewPipe(path, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	pilot(t, o, channel.PilotAfter)
	r, err := o.Collect(within(t, collectPatience/20))
	if err != nil || r.Hearing.Drops != 1 || r.Hearing.Sound() {
		t.Errorf("%+v, error %v", r.Hearing, err)
	}
}
