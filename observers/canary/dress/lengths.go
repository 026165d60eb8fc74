package dress

import "bytes"

const figureColumns = 8 // numbers of a line that are read by their place

// lengths reads the lengths of words, lines and sentences, and the numbers in a
// text, as what they are left over by division.
func lengths(b []byte, s *sink) {
	windows(b, s, func(offset int, text []byte) {
		s.figures(offset, text)
		var lines, perLine, words, sentences, dents []int
		for line := range bytes.Lines(text) {
			line = bytes.TrimRight(line, "\r\n")
			lines = append(lines, len(line))
			dents = append(dents, len(line)-len(bytes.TrimLeft(line, " \t")))
			fields := bytes.FieldsFunc(line, func(r rune) bool { return r <= ' ' })
			perLine = append(perLine, len(fields))
			for _, f := range fields {
				words = append(words, len(bytes.TrimFunc(f, func(r rune) bool { return r < 0x80 && !alnum(byte(r)) })))
			}
		}
		for sentence := range bytes.SplitSeq(text, []byte(".")) {
			sentences = append(sentences, len(bytes.Fields(sentence)))
		}
		for _, seq := range [][]int{lines, dents, perLine, words, sentences} {
			s.amounts(offset, seq)
		}
	})
}

// figures reads the decimal numbers of the text, all of them and those of each
// place in their line, and the steps between these.
func (s *sink) figures(offset int, text []byte) {
	var all []int
	var placed [figureColumns][]int
	place, in, v := 0, false, 0
	for _, c := range text {
		if c >= '0' && c <= '9' {
			in, v = true, v*10+int(c-'0')
			continue
		}
		if in {
			all = append(all, v)
			if place < figureColumns {
				placed[place] = append(placed[place], v)
			}
			in, v, place = false, 0, place+1
		}
		if c == '\n' {
			place = 0
		}
	}
	if in {
		all = append(all, v)
	}
	s.amounts(offset, all)
	if len(placed[0]) == len(all) {
		placed[0] = all
	}
	for _, seq := range placed {
		s.amounts(offset, seq)
		s.amounts(offset, steps(seq))
	}
}

func steps(seq []int) []int {
	out := make([]int, 0, len(seq))
	for i := 1; i < len(seq); i++ {
		out = append(out, seq[i]-seq[i-1])
	}
	return out
}
