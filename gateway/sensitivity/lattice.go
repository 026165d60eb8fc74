// Package sensitivity holds what the gateway knows of how sensitive data is:
// an ordered lattice of labels, the ceiling of each sink, and the label of a
// session, which only rises.
//
// It promises that whatever it does not know is denied: an unknown label, a
// sink without a ceiling, an empty lattice. It does not look at any data: a
// label says what may be in a session, not what is.
package sensitivity

import (
	"errors"
	"fmt"
	"slices"
)

// Label names one level of a lattice.
type Label string

// Lattice lists the levels in order, lowest first.
type Lattice []Label

// Validate refuses a lattice in which an order cannot be told: no level, a
// level without a name, or one that stands twice.
func (l Lattice) Validate() error {
	if len(l) == 0 {
		return errors.New("the lattice has no level")
	}
	for i, level := range l {
		if level == "" {
			return fmt.Errorf("level %d of the lattice has no name", i+1)
		}
		if slices.Contains(l[:i], level) {
			return fmt.Errorf("level %d of the lattice stands there twice", i+1)
		}
	}
	return nil
}

// Rank is the place of a label, from 1 for the lowest; 0 means unknown. In a
// lattice that is not valid every label is unknown.
func (l Lattice) Rank(label Label) int {
	if l.Validate() != nil {
		return 0
	}
	return slices.Index(l, label) + 1
}

// AtMost reports whether label stands no higher than bound. An unknown label
// stands below nothing, and an unknown bound admits nothing.
func (l Lattice) AtMost(label, bound Label) bool {
	rank, limit := l.Rank(label), l.Rank(bound)
	return rank > 0 && limit > 0 && rank <= limit
}

var errUnknown = errors.New("joining labels: one of them is not in the lattice")

// Join is the higher of two labels. It fails where one of them is unknown.
func (l Lattice) Join(a, b Label) (Label, error) {
	if l.Rank(a) == 0 || l.Rank(b) == 0 {
		return "", errUnknown
	}
	if l.AtMost(a, b) {
		return b, nil
	}
	return a, nil
}

// Ceilings gives each sink the highest label that may go there.
type Ceilings map[string]Label

// Admits reports whether data of a label may go to a sink. A sink without a
// ceiling takes nothing.
func (c Ceilings) Admits(l Lattice, sink string, label Label) bool {
	ceiling, ok := c[sink]
	return ok && l.AtMost(label, ceiling)
}
