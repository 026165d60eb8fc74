package sensitivity

import (
	"slices"
	"strings"
)

// Weakness takes checks of labels away, or makes other ones of them, for
// mutants. The zero value is strict.
type Weakness struct {
	// What a label is taken for.
	UnknownLowest bool  // one that the lattice has not, for the lowest
	UnknownKept   bool  // a session may begin at such a label, and has rank 0
	Folded        bool  // one in another case, or between blanks, for the one of the lattice
	Collapsed     Label // this one, for the one below it

	// How a label is compared with a sink's ceiling.
	Below     bool // it must be below the ceiling
	Same      bool // it must be the ceiling
	NotBelow  bool // it must not be below the ceiling
	Always    bool // a ceiling admits every label
	Never     bool // a ceiling admits no label
	Unranked  bool // an unknown label has rank 0, and stands below all
	NoCeiling bool // a sink without a ceiling takes everything

	// What a session's label is.
	JoinLowest     bool // the lowest that it saw
	JoinFirst      bool // the one that it began with
	JoinLast       bool // the one that it saw last
	JoinSum        bool // it rises with every label by the rank of that
	ForgetsInitial bool // the highest that it saw, but for the one that it began with
	EmptyTop       bool // the highest, while it has seen nothing
	EmptyBottom    bool // the lowest, while it has seen nothing
}

// NewWeakSession is NewSession with some checks taken away. Nothing of the
// gateway's own calls it: it is for the harness, and a test keeps it there.
func NewWeakSession(l Lattice, initial Label, w Weakness) (*Session, error) {
	initial = w.Read(l, initial)
	if err := l.Validate(); err != nil || !w.UnknownKept {
		if _, err := NewSession(l, initial); err != nil {
			return nil, err
		}
	}
	s := &Session{lattice: slices.Clone(l), weak: w, seen: []Label{initial}}
	s.label = w.join(s.lattice, s.seen)
	return s, nil
}

// Read is what a label is taken for.
func (w Weakness) Read(l Lattice, label Label) Label {
	if w.Folded && l.Rank(label) == 0 {
		for _, known := range l {
			if strings.EqualFold(string(known), strings.TrimSpace(string(label))) {
				label = known
			}
		}
	}
	rank := l.Rank(label)
	switch {
	case w.UnknownLowest && rank == 0 && len(l) > 0:
		return l[0]
	case w.Collapsed != "" && label == w.Collapsed && rank > 1:
		return l[rank-2]
	}
	return label
}

// Admits is Ceilings.Admits, weakly.
func (w Weakness) Admits(c Ceilings, l Lattice, sink string, label Label) bool {
	ceiling, ok := c[sink]
	if !ok {
		return w.NoCeiling
	}
	rank, limit := l.Rank(w.Read(l, label)), l.Rank(w.Read(l, ceiling))
	known := rank > 0 && limit > 0
	switch {
	case w.Always:
		return true
	case w.Never:
		return false
	case w.Unranked:
		return rank <= limit
	case w.Below:
		return known && rank < limit
	case w.Same:
		return known && rank == limit
	case w.NotBelow:
		return known && rank >= limit
	}
	return known && rank <= limit
}

// join is the label of a session by all that it saw, of which it began with the
// first. An unknown one stays.
func (w Weakness) join(l Lattice, seen []Label) Label {
	ranks := make([]int, len(seen))
	sum := 0
	for i, label := range seen {
		if ranks[i] = l.Rank(label); ranks[i] == 0 {
			return label
		}
		sum += ranks[i]
	}
	rank := slices.Max(ranks)
	switch first := len(seen) == 1; {
	case w.EmptyTop && first:
		rank = len(l)
	case w.EmptyBottom && first:
		rank = 1
	case w.JoinLowest:
		rank = slices.Min(ranks)
	case w.JoinFirst:
		rank = ranks[0]
	case w.JoinLast:
		rank = ranks[len(ranks)-1]
	case w.JoinSum:
		rank = min(sum, len(l))
	case w.ForgetsInitial && !first:
		rank = slices.Max(ranks[1:])
	}
	return l[rank-1]
}

// raiseWeakly is Raise; the session is locked.
func (s *Session) raiseWeakly(label Label) (Label, error) {
	label = s.weak.Read(s.lattice, label)
	if s.lattice.Rank(label) == 0 && !s.weak.UnknownKept {
		return "", errUnknown
	}
	s.seen = append(s.seen, label)
	s.label = s.weak.join(s.lattice, s.seen)
	return s.label, nil
}
