package forms

import "slices"

// plain is the text itself, and the ciphers without a key.
func plain(w *wardrobe) {
	t := w.texts[0]
	w.fold("literal", w.whole, digitsOf(w.text, w.raw.b))
	w.fold("literal", t.bits, t.b) // of a text that is longer than what is dressed
	w.fold("reversed", t.bits, w.reversed(t.b))
	w.fold("swapped-pairs", t.bits, w.swapped(t.b, 2))
	w.fold("rot13", t.bits, w.mapped(t.b, rot13))
	w.fold("rot18", t.bits, w.mapped(t.b, func(c byte) byte { return rot5(rot13(c)) }))
	w.fold("rot5", t.bits, w.mapped(t.b, rot5))
	w.fold("atbash", t.bits, w.mapped(t.b, atbash))
	for _, t := range w.texts {
		w.add("rot47", t.bits, w.mapped(t.b, rot47))
	}
}

// swapped reverses each n bytes; what is left over at the end stays.
func (r *room) swapped(b []byte, n int) []byte {
	b = r.clone(b)
	for i := 0; i+n <= len(b); i += n {
		slices.Reverse(b[i : i+n])
	}
	return b
}

// turn shifts c by n within first..last, if it is there.
func turn(c, first, last byte, n int) byte {
	if c < first || c > last {
		return c
	}
	return first + byte((int(c-first)+n)%int(last-first+1))
}

func rot5(c byte) byte  { return turn(c, '0', '9', 5) }
func rot13(c byte) byte { return turn(turn(c, 'a', 'z', 13), 'A', 'Z', 13) }
func rot47(c byte) byte { return turn(c, '!', '~', 47) }

func atbash(c byte) byte {
	switch {
	case c >= 'a' && c <= 'z':
		return 'a' + 'z' - c
	case c >= 'A' && c <= 'Z':
		return 'A' + 'Z' - c
	}
	return c
}
