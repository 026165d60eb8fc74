package layer

import "sync"

// Look is what a glance at some bytes tells of them, so that a stage need not go
// over bytes that cannot hold what it is for. Each part of it is found when it is
// first asked for, once for all stages. It may be used by many goroutines at once.
type Look struct {
	bytes   []byte
	counted sync.Once
	counts  *[256]uint32
}

// NewLook is a look at b.
func NewLook(b []byte) *Look { return &Look{bytes: b} }

// at reports whether it is a look at just these bytes.
func (l *Look) at(b []byte) bool {
	return l != nil && len(l.bytes) == len(b) && (len(b) == 0 || &l.bytes[0] == &b[0])
}

// Count is how often a byte occurs.
func (l *Look) Count(c byte) int { return int(l.histogram()[c]) }

// Has reports whether a byte occurs.
func (l *Look) Has(c byte) bool { return l.histogram()[c] > 0 }

// Many is how many bytes there are of those that are in a set.
func (l *Look) Many(in func(byte) bool) int {
	n := 0
	for c, count := range l.histogram() {
		if count > 0 && in(byte(c)) {
			n += int(count)
		}
	}
	return n
}

// histogram counts in four tables by turns: the same byte twice in a row would
// otherwise wait for itself.
func (l *Look) histogram() *[256]uint32 {
	l.counted.Do(func() {
		var by [4][256]uint32
		b := l.bytes
		for ; len(b) >= 4; b = b[4:] {
			by[0][b[0]]++
			by[1][b[1]]++
			by[2][b[2]]++
			by[3][b[3]]++
		}
		for _, c := range b {
			by[0][c]++
		}
		l.counts = new([256]uint32)
		for c := range l.counts {
			l.counts[c] = by[0][c] + by[1][c] + by[2][c] + by[3][c]
		}
	})
	return l.counts
}
