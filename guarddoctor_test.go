package main

import (
	"strings"
	"testing"

	"postern/gateway/confine/landlock"
)

// What doctor says of each kernel's Landlock: all that it would leave open.
func TestWhatIsSaidOfLandlock(t *testing.T) {
	for abi := range landlock.Least() + 2 {
		open := 0
		for _, r := range landlock.Table() {
			if strings.Contains(landlockSays(abi), r.What) {
				open++
			}
		}
		if want := max(0, landlock.Least()-abi); abi > 0 && open != want {
			t.Errorf("ABI %d leaves %d open, want %d: %s", abi, open, want, landlockSays(abi))
		}
	}
	if got := landlockSays(0); !strings.HasPrefix(got, "off") {
		t.Error(got)
	}
}
