package fragment

import (
	"bytes"
	"encoding/binary"

	"postern/observers/canary/layer"
	"postern/observers/canary/words"
)

const (
	sumInput   = 1 << 20  // up to so many bytes of input, short pieces count
	splitInput = 64 << 10 // and pieces of the shortest
	spread     = 1 << 10  // between the first and the last byte of a secret that was split
	shortest   = 4        // digits or raw bytes of a piece of a split secret
	shortSum   = 6        // digits of a piece that counts for a sum
	maxPieces  = 1 << 14  // of one input: further short ones are left out
)

// lookup is a table of the words of some strands, and how they are sampled: as
// far apart as leaves one inside the least piece.
type lookup struct {
	words.Table
	width, step int
	lower       bool
}

func (l *lookup) or() uint64 {
	if l.lower {
		return 0x2020202020202020 & l.mask() // letters in lower case; what else it changes, the comparison sees
	}
	return 0
}

func (l *lookup) mask() uint64 { return ^uint64(0) >> (64 - 8*l.width) }

// finder is immutable after freeze.
type finder struct {
	strands            []strand
	raw, exact, folded *lookup
	six, four          *lookup // digits of short pieces
}

func newFinder() *finder {
	return &finder{
		raw:    &lookup{width: 4, step: leastRaw - 4 + 1},
		exact:  &lookup{width: 8, step: least64 - 8 + 1},
		folded: &lookup{width: 8, step: leastDigits - 8 + 1, lower: true},
		six:    &lookup{width: shortSum, step: 1, lower: true},
		four:   &lookup{width: shortest, step: 1, lower: true},
	}
}

func (f *finder) hold(s strand) {
	if len(s.symbols) < s.least {
		return
	}
	f.strands = append(f.strands, s)
	switch s.family {
	case rawBytes:
		f.add(f.raw, s.symbols)
	case base64Text:
		f.add(f.exact, s.symbols)
	case digits:
		f.add(f.six, s.symbols)
		f.add(f.four, s.symbols)
		fallthrough
	default:
		f.add(f.folded, s.symbols)
	}
}

// add enters the words of the strand held last.
func (f *finder) add(l *lookup, symbols []byte) {
	for at := 0; at+l.width <= len(symbols); at++ {
		word := symbols[at : at+l.width]
		l.Add(little(word)|l.or(), len(f.strands)-1, at)
		if url := urlSafe(word); l == f.exact && !bytes.Equal(url, word) {
			l.Add(little(url), len(f.strands)-1, at)
		}
	}
}

func urlSafe(word []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(word, []byte("+"), []byte("-")), []byte("/"), []byte("_"))
}

func little(word []byte) uint64 {
	var b [8]byte
	copy(b[:], word)
	return binary.LittleEndian.Uint64(b[:])
}

func (f *finder) freeze() {
	for _, l := range []*lookup{f.raw, f.exact, f.folded, f.six, f.four} {
		l.Freeze()
	}
}

func (f *finder) find(b []byte, yield func(layer.Match) bool) {
	if len(f.strands) == 0 {
		return
	}
	s := &search{finder: f, b: b, yield: yield}
	switch {
	case len(b) <= splitInput:
		s.pass(f.four, 1)
	case len(b) <= sumInput:
		s.pass(f.six, 1)
	}
	if len(b) <= sumInput {
		s.pass(f.raw, 1)
	} else {
		s.pass(f.raw, f.raw.step)
	}
	s.pass(f.exact, f.exact.step)
	s.pass(f.folded, f.folded.step)
	s.together()
}
