package observers

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

func lockFiles(t *testing.T) *LockFiles {
	t.Helper()
	files, err := NewLockFiles(filepath.Join(t.TempDir(), "locks"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	return files
}

func TestLocksThatSpell(t *testing.T) {
	tr := newTrial(t)
	files := lockFiles(t)
	o := NewLock(files, tr.watch, tr.pilots)
	pilot(t, o, channel.PilotBefore)
	a := heldAgent(t, tr.plan(plan.ModeNormal, map[channel.ID]string{
		channel.FileLockRange: filepath.Join(files.Dir, LockRange), channel.FileLockHeld: filepath.Join(files.Dir, LockHeld),
	}))
	if err := o.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter) // while the agent still has its own
	a()
	if err := o.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.FileLockRange: 1, channel.FileLockHeld: 1})
}

// Several trials share the files.
func TestLockPilotsOfSeveralTrials(t *testing.T) {
	files := lockFiles(t)
	done := make(chan Report)
	const trials = 4
	for range trials {
		tr := newTrial(t)
		go func() {
			o := NewLock(files, tr.watch, tr.pilots)
			for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
				if err := o.Pilot(context.Background(), phase); err != nil {
					t.Error(err)
				}
			}
			r, _ := o.Collect(context.Background())
			done <- r
		}()
	}
	for range trials {
		sound(t, <-done)
	}
}

func TestLocksHeardByNobody(t *testing.T) {
	tr, other := newTrial(t), newTrial(t)
	o := NewLock(lockFiles(t), other.watch, tr.pilots)
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	if h := collect(t, o).Hearing; h.Sound() || h.PilotsHeard != 0 {
		t.Errorf("%+v", h)
	}
	must(t, o.files.Close())
	if err := o.Pilot(t.Context(), channel.PilotAfter); err == nil {
		t.Error("files that are closed were locked")
	}
	if err := o.Pilot(t.Context(), channel.FileLockHeld); err == nil {
		t.Error("a channel was taken for a phase")
	}
}

func TestLocks(t *testing.T) {
	got := locks(strings.Join([]string{
		"1: POSIX  ADVISORY  READ  77 08:01:1234 100 100",
		"1: -> POSIX  ADVISORY  WRITE 78 08:01:1234 0 EOF",
		"2: FLOCK  ADVISORY  WRITE 79 fe:10:5 0 EOF",
		"3: OFDLCK ADVISORY  READ -1 00:2f:6 7 8",
		"4: LEASE  ACTIVE    READ  80 08:01:9 x EOF",
		"5: POSIX  *NOINODE* READ 81",
		"nonsense", "",
	}, "\n"))
	want := []fileLock{
		{"POSIX", "77", inode{8, 1, 1234}, 100}, {"FLOCK", "79", inode{0xfe, 0x10, 5}, 0}, {"OFDLCK", "-1", inode{0, 0x2f, 6}, 7},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(fileLock{}, inode{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// heldAgent runs the real agent, uncontained, up to its report, and returns
// what ends it.
func heldAgent(t *testing.T, planLine []byte) (end func()) {
	t.Helper()
	in, out, stop := startAgent(t, planLine)
	if line, err := out.ReadString('\n'); err != nil || !strings.Contains(line, `"operation":"report"`) {
		t.Fatal("the agent sent no report")
	}
	return func() { in.Close(); stop() }
}

func TestLockFilesThatAreThereAlready(t *testing.T) {
	if files, err := NewLockFiles(t.TempDir()); err == nil {
		files.Close()
		t.Error("took what was there")
	}
}
