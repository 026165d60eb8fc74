package watchdog

import "time"

// overslept is how late the end of a wait may be noticed by one who was not
// kept from running.
const overslept = 100 * time.Millisecond

// allowance is how long one side waits for the other. To notice the end of the
// wait much later than it was due is to have been kept from running oneself;
// the other, on the same machine, may have been kept from it too, and has a
// little longer. This happens once: a machine that does not run either side is
// one on which the lease is lost.
type allowance struct {
	due    time.Time
	longer time.Duration
}

func waitFor(limit, longer time.Duration) allowance {
	return allowance{due: time.Now().Add(limit), longer: longer}
}

// over reports whether the wait is over, now that its end was noticed, or else
// how much longer it is to be.
func (a *allowance) over(now time.Time) (longer time.Duration, over bool) {
	if a.longer == 0 || now.Sub(a.due) < overslept {
		return 0, true
	}
	longer, a.longer = a.longer, 0
	return longer, false
}
