package dress

const (
	letters32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	// The two cases of International Telegraph Alphabet No. 2 (ITU-T S.1), by
	// code; 27 and 31 change the case.
	ita2Letters = "\x00E\nA SIU\rDRJNFCKTZLWHYPQOBG\x00MXV\x00"
	ita2Figures = "\x003\n- '87\r\x054\x07,!:(5+)2$6019?&\x00./;\x00"
)

// telegraph yields groups of five and six bits as letters: Bacon's and base32's
// order, the telegraph's, and six-bit ASCII.
func (s *sink) telegraph(offset int, bits []byte) {
	phases := 6
	if len(bits) > every8 {
		phases = 1
	}
	var six []byte
	for phase := range phases {
		for _, v := range (packing{phase: phase, width: 6, bits: 6}).pack(nil, bits) {
			six = append(six, v+' ')
		}
		six = append(six, '\n')
	}
	s.put(offset, six)
	phases = min(phases, 5)
	for _, flip := range []byte{0, 1} {
		var view []byte
		for phase := range phases {
			view = append(alphabet(view, packing{phase: phase, width: 5, bits: 5, flip: flip}.pack(nil, bits), letters32), '\n')
		}
		s.put(offset, view)
	}
	for _, low := range []bool{false, true} {
		var view []byte
		for phase := range phases {
			view = append(baudot(view, packing{phase: phase, width: 5, bits: 5, low: low}.pack(nil, bits)), '\n')
		}
		s.put(offset, view)
	}
}

func alphabet(dst, values []byte, letters string) []byte {
	for _, v := range values {
		if int(v) < len(letters) {
			dst = append(dst, letters[v])
		} else {
			dst = append(dst, '?')
		}
	}
	return dst
}

func baudot(dst, codes []byte) []byte {
	table := ita2Letters
	for _, c := range codes {
		switch c {
		case 27:
			table = ita2Figures
		case 31:
			table = ita2Letters
		default:
			if table[c] != 0 {
				dst = append(dst, table[c])
			}
		}
	}
	return dst
}
