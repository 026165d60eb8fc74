package dress

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

const (
	gap      = 256       // code points that part two alphabets
	clusters = 8         // alphabets of an area that are read
	longText = 128 << 10 // bytes; a longer area's alphabets are read as low bytes only
)

// codePoints reads what stands beyond ASCII as numbers: its low bytes, its
// distances from where its alphabet starts, and two bytes each.
func codePoints(b []byte, s *sink) {
	for _, a := range areas(b) {
		all := beyond(b[a.from:a.to])
		if len(all) < shortest {
			continue
		}
		s.put(a.from, lowBytes(all, 0))
		s.selectors(a.from, all)
		drawn := slices.DeleteFunc(slices.Clone(all), func(r rune) bool { return r == 0xfe0f || r == 0x200d || r == 0x20e3 })
		s.put(a.from, lowBytes(drawn, 0))
		if len(drawn) > 0 && a.to-a.from <= longText {
			s.doubled(a.from, drawn)
			for _, c := range alphabets(drawn) {
				s.cluster(a.from, c)
			}
		}
	}
}

// beyond returns the characters of text beyond ASCII.
func beyond(text []byte) []rune {
	var all []rune
	for i := beyondASCII(text); i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r != utf8.RuneError {
			all = append(all, r)
		}
		if i += n; i < len(text) && text[i] < utf8.RuneSelf {
			i += beyondASCII(text[i:])
		}
	}
	return all
}

func lowBytes(all []rune, base rune) []byte {
	out := make([]byte, len(all))
	for i, r := range all {
		out[i] = byte(r - base)
	}
	return out
}

// selectors reads the 256 variation selectors as the bytes that they number.
func (s *sink) selectors(offset int, all []rune) {
	var out []byte
	for _, r := range all {
		switch {
		case r >= 0xfe00 && r <= 0xfe0f:
			out = append(out, byte(r-0xfe00))
		case r >= 0xe0100 && r <= 0xe01ef:
			out = append(out, byte(r-0xe0100+16))
		}
	}
	s.put(offset, out)
	if len(out) >= 2*shortest && slices.Max(out) < 16 {
		s.spread(offset, out, int(slices.Max(out))+1)
	}
}

// doubled reads each character as two bytes, from the starts of the large
// blocks and, for base65536, by the rank of its block.
func (s *sink) doubled(offset int, all []rune) {
	least := slices.Min(all)
	for _, base := range []rune{0, 0x3400, 0x4e00, 0xa000, 0xac00, 0x20000, least, least &^ 0xff} {
		big, little := make([]byte, 0, 2*len(all)), make([]byte, 0, 2*len(all))
		for _, r := range all {
			v := r - base
			big, little = append(big, byte(v>>8), byte(v)), append(little, byte(v), byte(v>>8))
		}
		s.put(offset, big)
		s.put(offset, little)
	}
	s.put(offset, base65536(all))
}

// base65536 reads the second byte as the rank of the block among those that the
// encoding of this name uses; a character of block 0x15 stands for one byte.
func base65536(all []rune) []byte {
	var out []byte
	for _, r := range all {
		rank, ok := rank65536(r >> 8)
		if r>>8 == 0x15 {
			out = append(out, byte(r))
		} else if ok {
			out = append(out, byte(r), byte(rank))
		}
	}
	return out
}

func rank65536(block rune) (rank rune, ok bool) {
	for _, run := range [][2]rune{{0x34, 0x4c}, {0x4e, 0x9e}, {0xa1, 0xa3}, {0xa5, 0xa5}, {0x106, 0x106}, {0x120, 0x122},
		{0x130, 0x133}, {0x144, 0x145}, {0x168, 0x169}, {0x200, 0x285}} {
		if block >= run[0] && block <= run[1] {
			return rank + block - run[0], true
		}
		rank += run[1] - run[0] + 1
	}
	return 0, false
}

// alphabets parts characters by where their code points lie, those of the
// largest parts.
func alphabets(all []rune) [][]rune {
	kinds := slices.Clone(all)
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	var starts []rune
	for i, r := range kinds {
		if i == 0 || r-kinds[i-1] > gap {
			starts = append(starts, r)
		}
	}
	parts := make([][]rune, len(starts))
	for _, r := range all {
		at, have := slices.BinarySearch(starts, r)
		if !have {
			at--
		}
		parts[at] = append(parts[at], r)
	}
	if len(parts) > 1 {
		parts = append(parts, all)
	}
	slices.SortStableFunc(parts, func(x, y []rune) int { return cmp.Compare(len(y), len(x)) })
	return parts[:min(len(parts), clusters)]
}

// cluster reads the characters of one alphabet as digits.
func (s *sink) cluster(offset int, all []rune) {
	if len(all) < shortest || constantRunes(all) {
		return
	}
	seq := make([]int, len(all))
	for i, r := range all {
		seq[i] = int(r)
	}
	s.symbols(offset, seq)
	least, most := slices.Min(all), slices.Max(all)
	for _, start := range starts(least) {
		if span := int(most-start) + 1; start < least && span <= 256 {
			s.spread(offset, lowBytes(all, start), span)
		}
	}
}

// starts returns where an alphabet that holds r may begin: a place that its
// block is counted from, or a round number.
func starts(r rune) []rune {
	for _, known := range []rune{0x1f3f7, 0x2680, 0x2654, 0x2630, 0x4dc0, 0x1d300, 0x1d306, 0x1f000, 0x1f030, 0x1f0a0, 0x1f0a1, 0x1f311, 0x1f550, 0x2648, 0x1f600} {
		if r >= known && r < known+128 {
			return []rune{known, r &^ 15, r &^ 255}
		}
	}
	return []rune{r &^ 15, r &^ 63, r &^ 255}
}

func constantRunes(all []rune) bool {
	return slices.Max(all) == slices.Min(all)
}
