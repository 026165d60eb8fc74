package forms

// groups45 is base45 (RFC 9285): two bytes in three symbols, the lowest first,
// at either place.
func groups45(w *wardrobe) {
	const symbols = tens + uppers + " $%*+-./:"
	for _, s := range w.few() {
		for before := range 2 {
			b := s.b[before:]
			groups := w.take(len(b) / 2 * 3)
			for i := range len(b) / 2 {
				n := int(b[2*i])<<8 | int(b[2*i+1])
				groups[3*i], groups[3*i+1], groups[3*i+2] = byte(n%45), byte(n/45%45), byte(n/45/45)
			}
			w.add("base45", s.bits*len(groups)*2/(3*len(s.b)), w.spelled(groups, symbols))
		}
	}
}
