package forms

import "sync"

func digitLists() []list {
	return []list{
		{"spaced", "%c", append(anyHow(), `\`, "*", "|", "+", ";", "\t", "  ", "\r\n")},
		{"spaced", `"%c"`, commas()},
		{"spaced", "'%c'", commas()},
	}
}

func backwardLists() []list { return []list{{"reversed", "%c", []string{".", " "}}} }

func halfLists() []list {
	return []list{{"nibbles", "%d", columns()}, {"nibbles", "%02d", append(tight(), " ")}, {"nibbles", "%04b", columns()[:1]}}
}

var (
	spelledDigits   = sync.OnceValue(func() []spelling { return spellings(digitLists(), true) })
	spelledBackward = sync.OnceValue(func() []spelling { return spellings(backwardLists(), true) })
	spelledHalves   = sync.OnceValue(func() []spelling { return spellings(halfLists(), false) })
)

// digits are the characters one by one, and their values where they are
// hexadecimal.
func digits(w *wardrobe) {
	t := w.texts[0]
	w.spell(spelledDigits(), t)
	w.spell(spelledBackward(), source{w.reversed(t.b), t.bits})
	if w.raw.b != nil {
		nibbles(w)
	}
}

func nibbles(w *wardrobe) {
	values := w.cut(w.raw.b, 4, 0)
	for _, n := range []int{1, 2, 4} {
		w.add("nibbles", w.raw.bits, w.spread(values, n))
	}
	w.spell(spelledHalves(), source{values, w.raw.bits})
}
