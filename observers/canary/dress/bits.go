package dress

import "math/bits"

const (
	exotic = 2048 // bits; longer streams are packed in the usual ways only
	every8 = 512  // bits; of longer streams groups are read from the first bit only
)

// packing says how bits become bytes: how many a group takes, where it starts,
// which of it counts, in which order.
type packing struct {
	phase, width, skip, bits int
	low                      bool // the first bit is the least significant
	flip                     byte // 1 turns every bit
}

// pack appends one byte a group of bits.
func (p packing) pack(dst, bits []byte) []byte {
	for at := p.phase; at+p.width <= len(bits); at += p.width {
		dst = append(dst, p.number(bits[at+p.skip:at+p.skip+p.bits]))
	}
	return dst
}

func (p packing) number(group []byte) (v byte) {
	for i, bit := range group {
		if bit ^= p.flip; p.low {
			v |= bit << i
		} else {
			v = v<<1 | bit
		}
	}
	return v
}

// bytesOf packs whole bytes, the first bit the most significant.
func bytesOf(bits []byte) []byte {
	out := make([]byte, len(bits)/8)
	for i := range out {
		g := bits[8*i : 8*i+8 : 8*i+8]
		out[i] = g[0]<<7 | g[1]<<6 | g[2]<<5 | g[3]<<4 | g[4]<<3 | g[5]<<2 | g[6]<<1 | g[7]
	}
	return out
}

// turnedBytes returns each byte with its bits in the other order.
func turnedBytes(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = bits.Reverse8(c)
	}
	return out
}

func flipped(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = ^c
	}
	return out
}

// plain yields a stream of bits in both orders, for one that is itself a guess.
func (s *sink) plain(offset int, bits []byte) {
	if s.done || len(bits) < fewest || !lively(bits) {
		return
	}
	high := bytesOf(bits)
	s.put(offset, high)
	s.put(offset, turnedBytes(high))
}

// modest yields both orders and both polarities.
func (s *sink) modest(offset int, bits []byte) {
	if s.done || len(bits) < fewest || !lively(bits) {
		return
	}
	high := bytesOf(bits)
	low := turnedBytes(high)
	for _, view := range [][]byte{high, low, flipped(high), flipped(low)} {
		s.put(offset, view)
	}
	s.groups(offset, bits, 7, 7, 0, 1)
}

// stream yields also, of a short stream, every phase and the group lengths of
// older codes.
func (s *sink) stream(offset int, bits []byte) {
	if s.done || len(bits) < fewest || !lively(bits) {
		return
	}
	s.modest(offset, bits)
	if len(bits) > exotic {
		return
	}
	s.phases(offset, bits)
	if len(bits) <= every8 {
		s.groups(offset, bits, 7, 7, 0, 7)
	}
	for _, g := range []struct{ width, skip, bits int }{{9, 0, 8}, {9, 1, 8}, {10, 1, 8}, {11, 1, 8}} {
		s.groups(offset, bits, g.width, g.bits, g.skip, 1)
	}
	s.telegraph(offset, bits)
	for step := 2; step <= 3; step++ {
		for phase := range step {
			s.plain(offset, every(bits, step, phase))
		}
	}
}

// phases yields one view of all shifted readings, as what is nested in them
// asks for whole bytes.
func (s *sink) phases(offset int, bits []byte) {
	if s.done || len(bits) < fewest || !lively(bits) {
		return
	}
	var high []byte
	for phase := 1; phase < 8; phase++ {
		high = append(append(high, bytesOf(bits[phase:])...), '\n')
	}
	s.put(offset, append(high, turnedBytes(high)...))
}

// groups yields the readings of groups of another length, of the first phases.
func (s *sink) groups(offset int, bits []byte, width, take, skip, phases int) {
	for _, low := range []bool{false, true} {
		var view []byte
		for phase := range phases {
			view = append(packing{phase: phase, width: width, skip: skip, bits: take, low: low}.pack(view, bits), '\n')
		}
		s.put(offset, view)
	}
}

func every(bits []byte, step, phase int) []byte {
	out := make([]byte, 0, len(bits)/step+1)
	for i := phase; i < len(bits); i += step {
		out = append(out, bits[i])
	}
	return out
}
