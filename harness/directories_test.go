//go:build unix

package harness

import (
	"os"
	"path/filepath"
	"testing"

	"postern/harness/host"
)

func TestSweepDirectoriesTakesThoseOfDeadRunsAlone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	dead := self
	dead.Start++
	stays := map[string]bool{}
	for name, owner := range map[string]string{"postern-live": self.String(), "postern-dead": dead.String(), "postern-odd": "me", "other-dead": dead.String()} {
		dir := filepath.Join(os.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ownerFile), []byte(owner), 0o600); err != nil {
			t.Fatal(err)
		}
		stays[name] = name != "postern-dead"
	}
	if err := sweepDirectories(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range stays {
		if _, err := os.Stat(filepath.Join(os.TempDir(), name)); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", name, err == nil, want)
		}
	}
}
