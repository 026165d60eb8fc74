package dress

const beside = 24 // characters whose neighbours are read

// side is what stands beside one character wherever it occurs.
type side struct {
	count, spaced int
	kinds         [2]int // of the first two neighbours, plus one
	more          bool
}

func (n *side) see(c byte) {
	n.count++
	if c == ' ' {
		n.spaced++
	}
	for i := range n.kinds {
		if n.kinds[i] == 0 {
			n.kinds[i] = int(c) + 1
		}
		if n.kinds[i] == int(c)+1 {
			return
		}
	}
	n.more = true
}

// choice returns the neighbour that comes or does not, and whether both happen
// often enough.
func (n *side) choice() (neighbour byte, open bool) {
	if n.count < fewest {
		return 0, false
	}
	if !n.more && n.kinds[1] != 0 {
		return byte(n.kinds[0] - 1), true
	}
	return ' ', 8*n.spaced >= n.count && 8*n.spaced <= 7*n.count
}

// neighbours reads whether a character is followed, or led, by a space, or
// which of the only two that ever stand there.
func neighbours(b []byte, s *sink) {
	windows(b, s, func(offset int, text []byte) {
		var before, after [256]side
		for i := 1; i < len(text); i++ {
			after[text[i-1]].see(text[i])
			before[text[i]].see(text[i-1])
		}
		read := 0
		for c := range 256 {
			if c > 0x7f || c <= ' ' || alnum(byte(c)) && after[c].more && before[c].more {
				continue
			}
			if n, open := after[c].choice(); open && read < beside {
				read++
				s.stream(offset, following(text, byte(c), n))
			}
			if n, open := before[c].choice(); open && read < beside {
				read++
				s.stream(offset, leading(text, byte(c), n))
			}
		}
		s.stream(offset, joints(text))
	})
}

func following(text []byte, c, neighbour byte) []byte {
	var bits []byte
	for i := 1; i < len(text); i++ {
		if text[i-1] == c {
			bits = append(bits, bit(text[i] == neighbour))
		}
	}
	return bits
}

func leading(text []byte, c, neighbour byte) []byte {
	var bits []byte
	for i := 1; i < len(text); i++ {
		if text[i] == c {
			bits = append(bits, bit(text[i-1] == neighbour))
		}
	}
	return bits
}

// joints reads whether a space follows each colon and comma, as in JSON.
func joints(text []byte) []byte {
	var bits []byte
	for i := 1; i < len(text); i++ {
		if text[i-1] == ':' || text[i-1] == ',' {
			bits = append(bits, bit(text[i] == ' '))
		}
	}
	return bits
}
