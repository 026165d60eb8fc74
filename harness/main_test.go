package harness

import (
	"os"
	"testing"

	"postern/gateway/guard/spawn"
)

func TestMain(m *testing.M) {
	if code, ours := spawn.Inner(os.Args); ours {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
