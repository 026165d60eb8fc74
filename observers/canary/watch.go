package canary

import (
	"errors"
	"fmt"
	"slices"

	"postern/fixtures/channel"
	"postern/observers/canary/forms"
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
	matcher *forms.Matcher
	entries func() []Entry // a func, because no printer looks inside one
}

// NewWatch prepares the search: 0.2 ms and 20 KB for each canary. An empty set
// or a zero canary is an error: it would look like a search that found nothing.
func NewWatch(entries []Entry) (*Watch, error) {
	if len(entries) == 0 {
		return nil, errors.New("watching for canaries: the set is empty")
	}
	secrets := make([]secret.Secret, len(entries))
	for i, e := range entries {
		if e.Canary.raw == nil {
			return nil, fmt.Errorf("watching for canaries: channel %s has none", e.ID)
		}
		secrets[i] = e.Canary.secret()
	}
	matcher, err := forms.New(secrets)
	if err != nil {
		return nil, fmt.Errorf("watching for canaries: %w", err)
	}
	entries = slices.Clone(entries)
	return &Watch{matcher: matcher, entries: func() []Entry { return entries }}, nil
}

// Scan looks through one whole message. Forms of one canary that overlap are
// one place. It allocates for hits alone.
func (w *Watch) Scan(b []byte) []Hit {
	found := w.matcher.Find(nil, b)
	if len(found) == 0 {
		return nil
	}
	hits, entries := make([]Hit, 0, 1), w.entries()
	for _, h := range w.matcher.Places().Next(found) {
		hits = append(hits, hitOf(entries, h))
	}
	return hits
}

func hitOf(entries []Entry, h forms.Hit) Hit {
	return Hit{ID: entries[h.Secret].ID, Offset: h.Offset, Length: h.Length}
}

// Stream returns a new search through bytes that come in pieces.
func (w *Watch) Stream() *Stream {
	s := newSeam(w.matcher.Longest() - 1)
	return &Stream{watch: w, seam: func() *seam { return s }, seen: map[channel.ID]int{}}
}
