//go:build unix

package harness

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"postern/harness/host"
)

// Without an Engine what a killed run left on the host is swept all the same, and
// it is said that none was asked. One that should be there and is silent is told
// of, for it may have containers of ours.
func TestSweepDoesItsPartWithoutAnEngine(t *testing.T) {
	self, err := host.Self()
	if err != nil {
		t.Fatal(err)
	}
	self.Start++ // the same pid, another process
	for name, tt := range map[string]struct {
		named, there bool
		unasked      bool
	}{
		"none":              {unasked: true},
		"one that is named": {named: true},
		"one that is dead":  {there: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			left := filepath.Join(os.TempDir(), "postern-dead")
			if err := errors.Join(os.Mkdir(left, 0o700), os.WriteFile(filepath.Join(left, ownerFile), []byte(self.String()), 0o600)); err != nil {
				t.Fatal(err)
			}
			socket := filepath.Join(os.TempDir(), "engine.sock")
			if tt.there {
				if err := os.WriteFile(socket, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			swept, err := Sweep(t.Context(), SweepOptions{Socket: socket, Named: tt.named})
			silent := (*Cannot)(nil)
			if swept.Unasked != tt.unasked || errors.As(err, &silent) == tt.unasked || tt.unasked && err != nil {
				t.Errorf("unasked %v, %v", swept.Unasked, err)
			}
			if _, err := os.Stat(left); !os.IsNotExist(err) {
				t.Errorf("what a killed run left is there: %v", err)
			}
		})
	}
}
