package forms

func digitLists() []list {
	return []list{
		{"spaced", "%c", append(anyHow(), `\`, "*", "|", "+", ";", "\t", "  ", "\r\n")},
		{"spaced", `"%c"`, commas()},
		{"spaced", "'%c'", commas()},
	}
}

func halfLists() []list {
	return []list{{"nibbles", "%d", columns()}, {"nibbles", "%02d", append(tight(), " ")}, {"nibbles", "%04b", columns()[:1]}}
}

// digits are the characters one by one, and their values where they are
// hexadecimal.
func digits(w *wardrobe) {
	t := w.texts[0]
	w.spell(spelledDigits(), t)
	l := list{"reversed", "%c", []string{".", " "}}
	l.each(len(t.b), func(i int) any { return t.b[len(t.b)-1-i] }, func(b []byte) { w.fold(l.technique, t.bits, b) })
	if w.raw.b != nil {
		nibbles(w)
	}
}

func nibbles(w *wardrobe) {
	values := cut(w.raw.b, 4, 0)
	for _, n := range []int{1, 2, 4} {
		w.add("nibbles", w.raw.bits, spread(values, n))
	}
	w.spell(spelledHalves(), source{values, w.raw.bits})
}
