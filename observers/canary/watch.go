package canary

import (
	"errors"
	"fmt"
	"slices"

	"postern/fixtures/channel"
	"postern/observers/canary/secret"
)

// Entry names the canary of one channel.
type Entry struct {
	ID     channel.ID
	Canary Canary
}

// Hit is one place where a canary was found: numbers, no bytes.
type Hit struct {
	ID     channel.ID
	Offset int64 // of its first byte
	Length int   // in bytes, of the form that was found
}

// Watch is a set of canaries to look for. It never changes and may be shared
// between goroutines.
type Watch struct {
	secret.Redacted
	find    func([]Hit, []byte) []Hit // a func, because no printer looks inside one
	entries func() []Entry
}

// NewWatch prepares the search. An empty set or a zero canary is an error: it
// would look like a search that found nothing.
func NewWatch(entries []Entry) (*Watch, error) {
	if len(entries) == 0 {
		return nil, errors.New("watching for canaries: the set is empty")
	}
	var all []owned
	for _, e := range entries {
		if e.Canary.raw == nil {
			return nil, fmt.Errorf("watching for canaries: channel %s has none", e.ID)
		}
		for _, f := range forms(e.Canary) {
			all = append(all, owned{f, e.ID})
		}
	}
	entries = slices.Clone(entries)
	return &Watch{find: newMatcher(all).find, entries: func() []Entry { return entries }}, nil
}

// Scan looks through one whole message. It allocates only for hits, which are
// in no particular order.
func (w *Watch) Scan(b []byte) []Hit { return w.find(nil, b) }

// Stream returns a new search through bytes that come in pieces.
func (w *Watch) Stream() *Stream {
	s := &seam{}
	return &Stream{watch: w, seam: func() *seam { return s }, seen: map[channel.ID]int{}}
}
