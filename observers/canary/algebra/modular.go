package algebra

import (
	"bytes"
	"encoding/binary"
)

// alphabet gives characters their numbers, for keys that are added modulo its
// size. Those that it does not have are left out.
type alphabet struct {
	size   int
	number [256]byte // plus one
}

func alphabets() []alphabet {
	from := func(first byte, size int) (a alphabet) {
		a.size = size
		for i := range size {
			a.number[int(first)+i] = byte(i + 1)
		}
		return a
	}
	listed := func(text string) (a alphabet) {
		a.size = len(text)
		for i := range len(text) {
			a.number[text[i]] = byte(i + 1)
		}
		return a
	}
	const (
		small  = "abcdefghijklmnopqrstuvwxyz"
		big    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		figure = "0123456789"
	)
	return []alphabet{
		hexadecimal(listed("0123456789abcdef")),
		from(' ', 95), from('!', 94),
		listed(figure + small), listed(small + figure), listed(figure + big), listed(big + figure),
		listed(big + small + figure), listed(figure + small + big), listed(figure + big + small), listed(small + big + figure),
		listed(big + small + figure + "+/"),
	}
}

// hexadecimal takes no notice of the case.
func hexadecimal(a alphabet) alphabet {
	a.size = 16
	copy(a.number['A':'G'], a.number['a':'g'])
	return a
}

// numbers lists the numbers of the characters and where they were.
func (a *alphabet) numbers(b []byte, numbers []byte, place []int32) ([]byte, []int32) {
	for i, c := range b {
		if v := a.number[c]; v > 0 {
			numbers, place = append(numbers, v-1), append(place, int32(i))
		}
	}
	return numbers, place
}

// differences are those at distance k, modulo the size.
func (a *alphabet) differences(numbers []byte, k int) []byte {
	if len(numbers) <= k {
		return nil
	}
	out := make([]byte, len(numbers)-k)
	for i := range out {
		out[i] = byte((int(numbers[i+k]) - int(numbers[i]) + a.size) % a.size)
	}
	return out
}

// modular is the table of differences modulo the sizes of alphabets.
type modular struct {
	table
	alphabets []alphabet
	least     int // characters of the shortest text
}

// Keys of up to eight characters have a multiple among these.
const leastKey, mostKey = 9, 16

func (m *modular) take(c carrier, whole int) {
	m.width, m.step = 8, 9
	if m.alphabets == nil {
		m.alphabets = alphabets()
	}
	if c.kind != text {
		return
	}
	if m.least == 0 || len(c.bytes) < m.least {
		m.least = len(c.bytes)
	}
	for _, a := range m.alphabets {
		numbers, _ := a.numbers(c.bytes, nil, nil)
		if len(numbers) < len(c.bytes) {
			continue // an alphabet of the other case
		}
		for k := leastKey; k <= mostKey; k++ {
			x := a.differences(numbers, k)
			back := a.differences(numbers, k)
			for i, d := range back {
				back[i] = byte((a.size - int(d)) % a.size)
			}
			for _, d := range [][]byte{x, back} {
				m.hold(pattern{secret: c.secret, technique: Vigenere, bytes: d, bits: c.bits, whole: whole, lost: k})
			}
		}
	}
}

// modularKeys takes the differences of the input for every alphabet and
// distance, and looks for the patterns among them as they are.
func (s *search) modularKeys() {
	if len(s.modular.patterns) == 0 || 2*len(s.b) < s.modular.least {
		return
	}
	for i := range s.modular.alphabets {
		if len(s.b) < s.modular.least {
			break
		}
		a := &s.modular.alphabets[i]
		numbers, place := a.numbers(s.b, s.symbols.bytes[:0], s.symbols.place[:0])
		s.symbols.bytes, s.symbols.place = numbers, place
		if len(numbers) < s.modular.least { // only a whole text is found
			continue
		}
		for k := leastKey; k <= mostKey && !s.done; k++ {
			s.modularPass(a, numbers, k, place)
		}
	}
	s.modularHalves()
}

// modularHalves: the key is added to each half of a byte.
func (s *search) modularHalves() {
	numbers, place := s.symbols.bytes[:0], s.symbols.place[:0]
	for i, c := range s.b {
		numbers, place = append(numbers, c>>4, c&15), append(place, int32(i), int32(i))
	}
	s.symbols.bytes, s.symbols.place = numbers, place
	for k := leastKey; k <= mostKey && !s.done; k++ {
		s.modularPass(&alphabet{size: 16}, numbers, k, place)
	}
}

// modularPass samples the differences of the numbers at distance k.
func (s *search) modularPass(a *alphabet, numbers []byte, k int, place []int32) {
	m, size := &s.modular, uint64(a.size)
	for p := 0; p+k+m.width <= len(numbers); p += m.step {
		// Both are less than the size, which is less than 128: no byte overflows.
		w := binary.LittleEndian.Uint64(numbers[p+k:]) + size*ones - binary.LittleEndian.Uint64(numbers[p:])
		w -= (w + (128-size)*ones) >> 7 & ones * size
		if m.May(w) {
			s.modularHit(w, a, numbers, k, p, place)
		}
	}
}

// modularHit compares the patterns that have the word at p.
func (s *search) modularHit(w uint64, a *alphabet, numbers []byte, k, p int, place []int32) {
	s.modular.Each(w, func(number, at int) bool {
		pat, from := &s.modular.patterns[number], p-at
		if to := from + len(pat.bytes) + k; from >= 0 && to <= len(numbers) && bytes.Equal(a.differences(numbers[from:to], k), pat.bytes) {
			s.report(pat.secret, pat.technique, int(place[from]), pat.whole)
		}
		return !s.done
	})
}
