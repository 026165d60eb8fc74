package record

import (
	"bytes"
	"iter"
)

// windows are pieces of at most a mebibyte that end with a line where they can.
func windows(b []byte) iter.Seq[line] {
	return func(yield func(line) bool) {
		for off := 0; off < len(b); {
			end := min(off+large, len(b))
			if end < len(b) {
				if i := bytes.LastIndexByte(b[off:end], '\n'); i > large/2 {
					end = off + i + 1
				}
			}
			if !yield(line{off, b[off:end]}) {
				return
			}
			off = end
		}
	}
}

const (
	samples    = 8 // stretches
	sampleSize = 2 << 10
)

// sampled calls see with a few stretches of b, until it says no.
func sampled(b []byte, see func([]byte) bool) {
	if len(b) <= samples*sampleSize {
		see(b)
		return
	}
	step := (len(b) - sampleSize) / (samples - 1)
	for i := range samples {
		if !see(b[i*step:][:sampleSize]) {
			return
		}
	}
}

// textual reports whether b is mostly text, by samples.
func textual(b []byte) bool {
	odd, all := 0, 0
	sampled(b, func(s []byte) bool {
		all += len(s)
		for _, c := range s {
			if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != 0x1b {
				odd++
			}
		}
		return true
	})
	return odd*16 <= all
}

// looksLogged reports whether lines with numbers repeat their shape, by samples.
func looksLogged(b []byte) bool {
	t := words()
	count := map[uint64]int{}
	all, repeated := 0, 0
	sampled(b, func(s []byte) bool {
		for _, l := range splitLines(s, '\n') {
			all++
			if len(l.s) < 400 && bytes.ContainsAny(l.s, "0123456789") {
				h := shape(l.s, t, nil)
				if count[h]++; count[h] > 2 && bytes.IndexByte(l.s, ' ') > 0 {
					repeated++
				}
			}
		}
		return true
	})
	return repeated*4 > all
}
