package observers

import (
	"io"
	"sync"

	"postern/observers/canary"
)

// Output is what one container says, for several trials to search at once. It
// holds nothing back: whoever listens has what is said from then on.
type Output struct {
	mu        sync.Mutex
	listeners map[*canary.Stream]*ledger
}

// NewOutput reads what a container says until its end.
func NewOutput(r io.Reader) *Output {
	o := &Output{listeners: map[*canary.Stream]*ledger{}}
	go io.Copy(o, r)
	return o
}

// Write has all listeners search p.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for search, book := range o.listeners {
		before := search.Sightings()
		search.Write(p)
		book.read(int64(len(p)), beyond(search.Sightings(), before))
	}
	return len(p), nil
}

// listen searches what is said from now on, until leave is called.
func (o *Output) listen(watch *canary.Watch, book *ledger) (leave func()) {
	search := watch.Stream()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.listeners[search] = book
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.listeners, search)
	}
}
