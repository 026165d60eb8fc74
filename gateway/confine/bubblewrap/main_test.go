package bubblewrap

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == StageCommand {
		os.Exit(Stage())
	}
	os.Exit(m.Run())
}
