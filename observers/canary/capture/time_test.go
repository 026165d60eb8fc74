package capture

import (
	"testing"
	"time"
)

// TestTimeGrowsWithTheInput asks that eight times as much of a hostile input
// takes far less than the 64 times as long that pairs of places would. The best
// of three counts, and times too short to say anything are taken as longer.
func TestTimeGrowsWithTheInput(t *testing.T) {
	const size = 16 << 10
	small, large := hostile(size), hostile(8*size)
	for name := range small {
		a, b := max(10*time.Millisecond, best(t, small[name])), best(t, large[name])
		if b > 40*a {
			t.Errorf("%s: %d times as long for 8 times the input", name, b/a)
		}
	}
}

func best(t *testing.T, b []byte) time.Duration {
	least := time.Hour
	for range 3 {
		start := time.Now()
		openAll(t, b, 64<<10+2*len(b))
		least = min(least, time.Since(start))
	}
	return least
}
