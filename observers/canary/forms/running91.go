package forms

// running91 is basE91, which packs 13 or 14 bits by what it meets: only what
// stands at the start of its input has a fixed form.
func running91(w *wardrobe) {
	const symbols = uppers + lowers + tens + "!#$%&()*+,./:;<=>?@[]^_`{|}~\""
	for _, s := range w.wholes() {
		groups := w.cut91(s.b)
		w.add("base91", s.bits*len(groups)*13/(16*len(s.b)), w.spelled(groups, symbols))
	}
}

func (r *room) cut91(b []byte) []byte {
	room := r.take(2 * len(b))
	out, acc, have := room[:0], uint(0), 0
	for _, c := range b {
		acc |= uint(c) << have
		have += 8
		if have <= 13 {
			continue
		}
		n, used := acc&(1<<13-1), 13
		if n <= 88 {
			n, used = acc&(1<<14-1), 14
		}
		acc, have = acc>>used, have-used
		out = append(out, byte(n%91), byte(n/91))
	}
	return r.trim(room, len(out))
}
