package layertest

import (
	"testing"
	"time"
)

const (
	Larger = 8                     // times the small input
	factor = 40                    // times as long is too long: pairs of places would take 64 times
	floor  = 10 * time.Millisecond // what is shorter says nothing, and counts as this
	tries  = 3                     // of which the best counts
)

// Linear asks that Larger times as much of a hostile input takes far less than
// the 64 times as long that pairs of places would. It is a ratio of two times in
// one run, whatever the machine.
func Linear(t *testing.T, name string, open func(b []byte), small, large []byte) {
	t.Helper()
	long := took(open, large)
	if long <= factor*floor {
		return
	}
	for range tries - 1 {
		long = min(long, took(open, large))
	}
	short := took(open, small)
	for range tries - 1 {
		short = min(short, took(open, small))
	}
	if short = max(short, floor); long > factor*short {
		t.Errorf("%s: %d times as long for %d times the input", name, long/short, Larger)
	}
}

func took(open func([]byte), b []byte) time.Duration {
	start := time.Now()
	open(b)
	return time.Since(start)
}
