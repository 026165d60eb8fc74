//go:build unix

package secrets

import (
	"os"
	"testing"
)

// Root's own secret places are looked through as everybody's are; root's whole
// home is a secret place of somebody else, and of any size.
func TestLinksFromRootsHome(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root has files there")
	}
	dir, err := os.MkdirTemp("/root", "postern-links-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Mkdir(dir+"/secret", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/secret/id", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(dir+"/secret/id", dir+"/other"); err != nil {
		t.Fatal(err)
	}
	if _, why := Links([]string{dir + "/secret"}); why != Linked {
		t.Errorf("root's own: %q", why)
	}
	if _, why := Links([]string{"/root"}); why != "" {
		t.Errorf("another's: %q", why)
	}
}
