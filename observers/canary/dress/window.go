package dress

import "bytes"

const (
	entire = 64 << 10 // bytes; a longer piece is read for choices in windows
	looks  = 3        // windows of a longer piece, the first at least half of entire
)

// windows calls read with the stretches of text in b where a choice may be
// hidden: all of it, or the first, the last and two between, on line ends.
func windows(b []byte, s *sink, read func(offset int, text []byte)) {
	if len(b) < fewest {
		return
	}
	if len(b) <= entire {
		if textual(b) {
			read(0, b)
		}
		return
	}
	for i := range looks {
		size := min(max(len(b)/64, block), entire)
		from := (len(b) - size) / (looks - 1) * i
		if i == 0 {
			size = max(size, entire/2)
		}
		text := b[from : from+size]
		if i > 0 {
			cut := bytes.IndexByte(text, '\n') + 1
			from, text = from+cut, text[cut:]
		}
		if s.done {
			return
		}
		if textual(text) {
			read(from, text)
		}
	}
}
