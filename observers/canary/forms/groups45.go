package forms

// groups45 is base45 (RFC 9285): two bytes in three symbols, the lowest first,
// at either place.
func groups45(w *wardrobe) {
	const symbols = tens + uppers + " $%*+-./:"
	for _, s := range w.few() {
		for before := range 2 {
			var groups []byte
			for b := s.b[before:]; len(b) >= 2; b = b[2:] {
				n := int(b[0])<<8 | int(b[1])
				groups = append(groups, byte(n%45), byte(n/45%45), byte(n/45/45))
			}
			w.add("base45", s.bits*len(groups)*2/(3*len(s.b)), spelled(groups, symbols))
		}
	}
}
