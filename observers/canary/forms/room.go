package forms

// room is memory for texts that are needed no longer than others. To take some
// costs little; all is given back at once.
type room struct {
	b  []byte
	at int
}

const (
	roomSize = 96 << 10 // the forms of a secret of 32 digits, about
	slack    = itemSize // bytes behind what was taken that may be written until more is taken
)

func (r *room) reset() { r.at = 0 }

// take returns n bytes of any value.
func (r *room) take(n int) []byte {
	if r.at+n+slack > len(r.b) {
		r.b, r.at = make([]byte, max(roomSize, n+slack)), 0
	}
	out := r.b[r.at : r.at+n : r.at+n+slack]
	r.at += n
	return out
}

// trim gives back the end of what was taken last.
func (r *room) trim(b []byte, n int) []byte {
	r.at -= len(b) - n
	return b[:n]
}

func (r *room) mapped(b []byte, f func(byte) byte) []byte {
	out := r.take(len(b))
	for i, c := range b {
		out[i] = f(c)
	}
	return out
}

func (r *room) clone(b []byte) []byte {
	out := r.take(len(b))
	copy(out, b)
	return out
}

func (r *room) reversed(b []byte) []byte {
	out := r.take(len(b))
	for i, c := range b {
		out[len(out)-1-i] = c
	}
	return out
}
