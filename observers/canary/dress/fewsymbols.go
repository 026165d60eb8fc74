package dress

// permutations returns every order of n symbols.
func permutations(n int) [][]byte {
	if n == 0 {
		return [][]byte{nil}
	}
	var all [][]byte
	for _, p := range permutations(n - 1) {
		for at := range n {
			q := append(append(append([]byte{}, p[:at]...), byte(n-1)), p[at:]...)
			all = append(all, q)
		}
	}
	return all
}

// quaternary yields two bits a symbol, in every order of the four.
func (s *sink) quaternary(offset int, digits []byte) {
	orders := permutations(4)
	if len(digits) > permuted {
		orders = [][]byte{{0, 1, 2, 3}}
	}
	for _, order := range orders {
		high := make([]byte, 0, 2*len(digits))
		low := make([]byte, 0, 2*len(digits))
		for _, v := range digits {
			v = order[v]
			high = append(high, v>>1, v&1)
			low = append(low, v&1, v>>1)
		}
		s.put(offset, bytesOf(high))
		s.put(offset, turnedBytes(bytesOf(low)))
	}
}

// ternary yields groups of three-valued digits as bytes, and what lies between
// separators as binary numbers without their leading zeros.
func (s *sink) ternary(offset int, digits []byte) {
	for _, order := range permutations(3) {
		mapped := make([]byte, len(digits))
		for i, v := range digits {
			mapped[i] = order[v]
		}
		for width := 4; width <= 6; width++ {
			s.put(offset, radix(mapped, 3, width))
		}
		s.put(offset, separated(mapped))
		if len(digits) <= numbered {
			s.put(offset, number(mapped, 3))
		}
	}
}

// radix reads groups of digits as numbers, big end first.
func radix(digits []byte, base, width int) []byte {
	out := make([]byte, 0, len(digits)/width)
	for ; len(digits) >= width; digits = digits[width:] {
		v := 0
		for _, d := range digits[:width] {
			v = v*base + int(d)
		}
		out = append(out, byte(v))
	}
	return out
}

// separated reads runs of 0 and 1 between runs of 2 as binary numbers.
func separated(digits []byte) []byte {
	var out []byte
	v, in := 0, false
	for _, d := range digits {
		if d < 2 {
			v, in = v<<1|int(d), true
		} else if in {
			out, v, in = append(out, byte(v)), 0, false
		}
	}
	if in {
		out = append(out, byte(v))
	}
	return out
}
