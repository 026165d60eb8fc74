package harness

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"postern/harness/host"
)

// A home that a killed run left mounted goes with its directory.
func TestSweepTakesTheHomesOfDeadRuns(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root mounts a file system")
	}
	t.Setenv("TMPDIR", t.TempDir())
	dead, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	dead.Start++
	run := filepath.Join(os.TempDir(), "postern-dead")
	trial := &trial{canaries: canaries{trial: "mutant/guard/any"}, dir: filepath.Join(run, "trial-1")}
	if err := os.MkdirAll(trial.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(run, ownerFile), []byte(dead.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	leave, err := trial.homely()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { leave() })
	var fs unix.Statfs_t
	if err := unix.Statfs(filepath.Join(trial.dir, homeDirectory), &fs); err != nil || fs.Type != unix.TMPFS_MAGIC {
		t.Fatalf("no home was mounted: %v, %#x", err, fs.Type)
	}
	if err := sweepDirectories(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(run); !os.IsNotExist(err) {
		t.Errorf("the directory of a dead run is still there: %v", err)
	}
}
