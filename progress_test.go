package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"postern/harness"
	"postern/reports"
)

func finished(id string) *reports.Trial {
	return &reports.Trial{ID: id, Kind: reports.Protected, Verdict: reports.Contained, DurationMS: 7}
}

// A pipe gets a plain line for each trial that ended, and an error at once.
func TestProgressInAPipe(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.show(harness.Event{Planned: 2, Started: "protected/1"})
	p.show(harness.Event{Planned: 2, Done: 1, Finished: finished("protected/1")})
	p.show(harness.Event{Planned: 2, Done: 2, Finished: finished("protected/2"), Err: errors.New("it broke")})
	p.clear()
	want := "1/2 protected/1 contained, 7 ms\nprotected/2: it broke\n2/2 protected/2 contained, 7 ms\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// A terminal gets one line that fits, and names what runs.
func TestProgressOnATerminal(t *testing.T) {
	for _, width := range []int{40, 60, 100} {
		var out bytes.Buffer
		p := newProgress(&out)
		p.terminal, p.width = true, width
		for n := range 6 {
			p.show(harness.Event{Planned: 9, Started: fmt.Sprintf("mutant/profile/network-%d", n)})
		}
		lines := strings.Split(out.String(), "\r\x1b[K")
		for _, line := range lines {
			if len(line) >= width {
				t.Errorf("%d columns of %d: %s", len(line), width, line)
			}
		}
		last := lines[len(lines)-1]
		if !strings.Contains(last, "0/9 done: mutant/profile/network-0") || width > 40 && !strings.Contains(last, " more") {
			t.Errorf("width %d: %s", width, last)
		}
	}
}
