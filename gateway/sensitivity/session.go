package sensitivity

import (
	"fmt"
	"slices"
	"sync"
)

// Session is the label of all that one agent may hold. It only rises. Safe
// for concurrent use.
type Session struct {
	lattice Lattice
	mu      sync.Mutex
	label   Label
	weak    Weakness
	seen    []Label // of a weak session: what it began with, and all that was joined
}

// NewSession starts a session at a label of a valid lattice.
func NewSession(l Lattice, initial Label) (*Session, error) {
	if err := l.Validate(); err != nil {
		return nil, fmt.Errorf("starting a session: %w", err)
	}
	if l.Rank(initial) == 0 {
		return nil, fmt.Errorf("starting a session: the initial label is not in the lattice")
	}
	return &Session{lattice: slices.Clone(l), label: initial}, nil
}

// Label is the present label.
func (s *Session) Label() Label {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.label
}

// Raise joins a label to the session and returns the outcome. An unknown
// label is an error and leaves the session as it was.
func (s *Session) Raise(label Label) (Label, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.weak != (Weakness{}) {
		return s.raiseWeakly(label)
	}
	joined, err := s.lattice.Join(s.label, label)
	if err != nil {
		return "", err
	}
	s.label = joined
	return joined, nil
}
