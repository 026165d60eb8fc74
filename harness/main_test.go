package harness

import (
	"os"
	"testing"

	"postern/gateway/confine/bubblewrap"
)

func TestMain(m *testing.M) {
	if code, ours := bubblewrap.Inner(os.Args); ours {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
