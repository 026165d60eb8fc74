package watchdog

import (
	"testing"
	"time"
)

func TestAWaitIsProlongedOnceForWhoWasKeptFromRunning(t *testing.T) {
	const limit, longer = time.Second, 250 * time.Millisecond
	for name, c := range map[string]struct {
		late time.Duration
		want time.Duration
	}{
		"noticed at once":        {0, 0},
		"noticed a little later": {overslept - 1, 0},
		"noticed too late":       {overslept, longer},
		"noticed hours later":    {time.Hour, longer},
	} {
		p := waitFor(limit, longer)
		got, over := p.over(p.due.Add(c.late))
		if got != c.want || over != (c.want == 0) {
			t.Errorf("%s: over %v, or %v longer", name, over, got)
		}
		if _, over := p.over(p.due.Add(longer + time.Hour)); c.want != 0 && !over {
			t.Errorf("%s: prolonged twice", name)
		}
	}
}
