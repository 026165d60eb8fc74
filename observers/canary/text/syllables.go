package text

var (
	quintSymbols  = setOf("abdfghijklmnoprstuvz-. ")
	babbleSymbols = setOf(lower + "-")
)

// syllables finds bytes that are written as syllables.
func (o *out) syllables(b []byte) {
	eachRun(b, quintSymbols, 23, func(s span) bool {
		o.offer("proquint", s.from, quints(b[s.from:s.to]))
		return !o.ended
	})
	eachRun(b, babbleSymbols, 35, func(s span) bool {
		o.offer("bubble-babble", s.from, babble(b[s.from:s.to]))
		return !o.ended
	})
}

var (
	quintConsonants = alphabetOf("bdfghjklmnprstvz", false)
	quintVowels     = alphabetOf("aiou", false)
)

// quints reads proquints: sixteen bits in five letters, consonants of four bits
// and vowels of two by turns.
func quints(b []byte) []byte {
	var d []byte
	for len(b) >= 5 {
		if b[0] == '-' || b[0] == '.' || b[0] == ' ' {
			b = b[1:]
			continue
		}
		v := 0
		for i, c := range b[:5] {
			a, bits := quintConsonants, 4
			if i%2 == 1 {
				a, bits = quintVowels, 2
			}
			if a[c] < 0 {
				return d
			}
			v = v<<bits | int(a[c])
		}
		d = append(d, byte(v>>8), byte(v))
		b = b[5:]
	}
	return d
}

var (
	babbleVowels     = alphabetOf("aeiouy", false)
	babbleConsonants = alphabetOf("bcdfghklmnprstvzx", false)
)

// babble reads Bubble Babble between its two x: two bytes in vowel, consonant,
// vowel, consonant, hyphen, consonant, where a sum of the bytes so far is added
// to the vowels.
func babble(b []byte) []byte {
	for len(b) > 0 && b[0] != 'x' {
		b = b[1:]
	}
	var d []byte
	sum := 1
	for k := 1; k+6 < len(b); k += 6 {
		v := [5]int{int(babbleVowels[b[k]]), int(babbleConsonants[b[k+1]]), int(babbleVowels[b[k+2]]), int(babbleConsonants[b[k+3]]), int(babbleConsonants[b[k+5]])}
		if min(v[0], v[1], v[2], v[3], v[4]) < 0 || b[k+4] != '-' || max(v[1], v[3], v[4]) > 15 {
			break
		}
		first := (v[0]-sum%6+6)%6<<6 | v[1]<<2 | (v[2]-sum/6%6+6)%6
		second := v[3]<<4 | v[4]
		d = append(d, byte(first), byte(second))
		sum = (sum*5 + first&255*7 + second) % 36
	}
	// A last syllable carries the last byte of an odd number.
	if k := 1 + 3*len(d); k+3 < len(b) && b[k+3] == 'x' {
		v := [3]int{int(babbleVowels[b[k]]), int(babbleConsonants[b[k+1]]), int(babbleVowels[b[k+2]])}
		if min(v[0], v[1], v[2]) >= 0 && v[1] < 16 {
			d = append(d, byte((v[0]-sum%6+6)%6<<6|v[1]<<2|(v[2]-sum/6%6+6)%6))
		}
	}
	return d
}
