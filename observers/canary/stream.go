package canary

import (
	"maps"

	"postern/fixtures/channel"
	"postern/observers/canary/secret"
)

// overlap is how much of the last chunk may belong to a form that ends in the
// next one.
const overlap = maxForm - 1

// seam holds the end of what was written, and room for what follows it.
type seam struct {
	b [2 * overlap]byte
	n int // bytes of b that are the end of what was written
}

// Stream is one search through bytes that come in chunks of any size. Its
// memory does not grow with them. It is for one goroutine.
type Stream struct {
	secret.Redacted
	watch *Watch
	seam  func() *seam
	seen  map[channel.ID]int
	hits  []Hit // scratch
	first Hit
	found bool
	total int64
}

// Write searches p. It takes all of it and never fails.
func (s *Stream) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	seam := s.seam()
	s.across(seam, p)
	s.hits = s.watch.find(s.hits[:0], p)
	for _, h := range s.hits {
		s.count(h, s.total)
	}
	seam.keep(p)
	s.total += int64(len(p))
	return len(p), nil
}

// across counts the forms that begin before p and end in it.
func (s *Stream) across(seam *seam, p []byte) {
	if seam.n == 0 {
		return
	}
	joined := seam.b[:seam.n+copy(seam.b[seam.n:], p[:min(len(p), overlap)])]
	s.hits = s.watch.find(s.hits[:0], joined)
	for _, h := range s.hits {
		if h.Offset < int64(seam.n) && h.Offset+int64(h.Length) > int64(seam.n) {
			s.count(h, s.total-int64(seam.n))
		}
	}
}

// keep moves the seam to the end of p, whose head across has copied.
func (m *seam) keep(p []byte) {
	if len(p) >= overlap {
		m.n = copy(m.b[:], p[len(p)-overlap:])
		return
	}
	end := m.n + copy(m.b[m.n:], p)
	m.n = copy(m.b[:], m.b[max(0, end-overlap):end])
}

func (s *Stream) count(h Hit, base int64) {
	h.Offset += base
	s.seen[h.ID]++
	if !s.found {
		s.first, s.found = h, true
	}
}

// Sightings returns how often each canary was found so far, in any form.
func (s *Stream) Sightings() map[channel.ID]int { return maps.Clone(s.seen) }

// First returns the first hit, if there is one so far.
func (s *Stream) First() (Hit, bool) { return s.first, s.found }

// Bytes returns how many bytes were searched.
func (s *Stream) Bytes() int64 { return s.total }
