package canary

import (
	"maps"

	"postern/fixtures/channel"
	"postern/observers/canary/forms"
	"postern/observers/canary/secret"
)

// seam holds the end of what was written, and room for what follows it.
type seam struct {
	b       []byte
	n       int // bytes of b that are the end of what was written
	overlap int // how much of the last chunk may belong to a form that ends in the next one
}

func newSeam(overlap int) *seam { return &seam{b: make([]byte, 2*overlap), overlap: overlap} }

// Stream is one search through bytes that come in chunks of any size. Its
// memory does not grow with them. It is for one goroutine.
type Stream struct {
	secret.Redacted
	watch  *Watch
	seam   func() *seam
	seen   map[channel.ID]int
	places *forms.Places
	hits   []forms.Hit // scratch
	first  Hit
	found  bool
	total  int64
}

// Write searches p. It takes all of it and never fails.
func (s *Stream) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	seam := s.seam()
	s.hits = s.hits[:0]
	s.across(seam, p)
	s.find(p, s.total, func(forms.Hit) bool { return true })
	s.count()
	seam.keep(p)
	s.total += int64(len(p))
	return len(p), nil
}

// across looks for the forms that begin before p and end in it.
func (s *Stream) across(seam *seam, p []byte) {
	if seam.n == 0 {
		return
	}
	joined := seam.b[:seam.n+copy(seam.b[seam.n:], p[:min(len(p), seam.overlap)])]
	s.find(joined, s.total-int64(seam.n), func(h forms.Hit) bool { return h.Offset < s.total && h.End() > s.total })
}

// find adds what is in b, which begins at base, if it is to be kept.
func (s *Stream) find(b []byte, base int64, keep func(forms.Hit) bool) {
	before := len(s.hits)
	s.hits = s.watch.matcher.Find(s.hits, b)
	kept := s.hits[:before]
	for _, h := range s.hits[before:] {
		if h.Offset += base; keep(h) {
			kept = append(kept, h)
		}
	}
	s.hits = kept
}

// keep moves the seam to the end of p, whose head across has copied.
func (m *seam) keep(p []byte) {
	if len(p) >= m.overlap {
		m.n = copy(m.b, p[len(p)-m.overlap:])
		return
	}
	end := m.n + copy(m.b[m.n:], p)
	m.n = copy(m.b, m.b[max(0, end-m.overlap):end])
}

// count takes what was found in one chunk: no later one brings a form that ends
// before it.
func (s *Stream) count() {
	if len(s.hits) == 0 {
		return
	}
	if s.places == nil {
		s.places = s.watch.matcher.Places()
	}
	entries := s.watch.entries()
	for _, h := range s.places.Next(s.hits) {
		hit := hitOf(entries, h)
		s.seen[hit.ID]++
		if !s.found {
			s.first, s.found = hit, true
		}
	}
}

// Sightings returns how often each canary was found so far. Forms of one that
// overlap are one place.
func (s *Stream) Sightings() map[channel.ID]int { return maps.Clone(s.seen) }

// First returns the first hit, if there is one so far.
func (s *Stream) First() (Hit, bool) { return s.first, s.found }

// Bytes returns how many bytes were searched.
func (s *Stream) Bytes() int64 { return s.total }
