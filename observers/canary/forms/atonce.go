package forms

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// share is how many of many small tasks a goroutine takes at a time.
const share = 64

// atOnce does n tasks that touch nothing in common, on all cores.
func atOnce(n int, task func(int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	take := min(share, (n+4*workers-1)/max(4*workers, 1)) // so that none has much more to do than the others
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				to := int(next.Add(int64(take)))
				if to-take >= n {
					return
				}
				for i := to - take; i < min(to, n); i++ {
					task(i)
				}
			}
		})
	}
	wg.Wait()
}
