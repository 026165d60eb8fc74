package text

import (
	"bytes"

	"postern/observers/canary/layer"
)

const (
	fewNumbers  = 8       // in a list
	manyFigures = 30      // in a list of fewer numbers
	longGap     = 24      // bytes between two numbers of a list
	longList    = 1 << 13 // numbers of a list that are read in the usual ways alone
	manyNumbers = 1 << 16 // numbers of a list that are read at a time
)

// numeric is one number of a list as it is written.
type numeric struct {
	at, end  int
	figures  []byte
	hex      bool // it says so: 0x, \x, h
	octal    bool // 0o
	binary   bool // 0b
	negative bool
}

// openNumbers finds lists of numbers, however they are set apart.
func openNumbers(b []byte, room *layer.Room, yield func(layer.View) bool) {
	l := &lists{out: out{room: room, yield: yield}, b: b}
	for i := 0; i < len(b) && !l.ended; {
		i = l.dense(i)
		if i < len(b) {
			i = l.list(l.begin(i))
		}
	}
	l.flush()
}

// dense returns the first digit from i on that others follow closely, without
// bytes between them that are not text.
func (l *lists) dense(i int) int {
	b := l.b
	for i < len(b) {
		for i < len(b) && kinds[b[i]] != aDigit {
			i++
		}
		n, last := 0, i
		for k := i; k < len(b) && k-last <= longGap+8 && textBytes[b[k]]; k++ {
			if kinds[b[k]] == aDigit {
				last = k
				if n++; n == 5 {
					return i
				}
			}
		}
		i = last + 1
	}
	return i
}

var textBytes = textSet()

func textSet() *set {
	s := *printable()
	for _, c := range []byte(" \t\r\n") {
		s[c] = true
	}
	return &s
}

type lists struct {
	out
	b     []byte
	end   int // of the last list
	found []numeric
}

// begin steps back from a digit over pairs of hexadecimal letters that may
// belong to the same list.
func (l *lists) begin(i int) int {
	for i > l.end && isAlnum(l.b[i-1]) {
		i--
	}
	for n := 0; n < 16; n++ {
		k := i
		for k > l.end && i-k < 8 && !isAlnum(l.b[k-1]) {
			k--
		}
		if k-2 < l.end || k == i || !isHex(l.b[k-1]) || !isHex(l.b[k-2]) {
			break
		}
		k -= 2
		if k > l.end && l.b[k-1] == 'x' {
			k--
		}
		if k > l.end && isAlnum(l.b[k-1]) && l.b[k-1] != '0' {
			break
		}
		i = k
	}
	return i
}

// list reads a list from i on, and returns where to go on.
func (l *lists) list(i int) int {
	l.found = l.found[:0]
	var words, other []byte // between the numbers, as in rgb(1, 2, 3), rgb(4, 5, 6)
	figures, two := 0, false
	n, ok := l.number(i)
	i = n.end
	for ok && len(l.found) < manyNumbers {
		l.found = append(l.found, n)
		figures += len(n.figures)
		i = n.end
		var between []byte
		n, between, ok = l.next(i)
		if len(l.found) == 1 {
			words = between
		} else if !bytes.Equal(words, between) {
			if two && !bytes.Equal(other, between) || len(words) > 0 && len(between) > 0 || len(between) > 8 {
				break
			}
			other, two = between, true
		}
	}
	l.end = i
	if len(l.found) >= fewNumbers || figures >= manyFigures && len(l.found) > 1 {
		l.read(l.found)
	}
	return i
}

// next returns the number after i, and the letters before it. It is not ok where
// there is none near.
func (l *lists) next(i int) (n numeric, words []byte, ok bool) {
	for k := i; k < len(l.b) && k-i <= longGap; {
		if kinds[l.b[k]] == aMark {
			k++
			continue
		}
		n, ok := l.number(k)
		if ok {
			return n, words, true
		}
		words = l.b[k:n.end]
		k = n.end
	}
	return n, words, false
}

// number reads the number at i with what marks its base.
func (l *lists) number(i int) (n numeric, ok bool) {
	b := l.b
	end := i
	for end < len(b) && kinds[b[end]] != aMark {
		end++
	}
	n.at, n.end = i, max(end, i+1)
	if end == i || end-i > 70 {
		return n, false
	}
	n.negative = i > 0 && b[i-1] == '-' && (i < 2 || !isAlnum(b[i-2]))
	n.figures = b[i:end]
	n.trim()
	return n, n.written()
}

// written reports whether the figures are a number's: digits, or letters of
// hexadecimal in pairs.
func (n *numeric) written() bool {
	letters := 0
	for _, c := range n.figures {
		if !hexSymbols[c] {
			return false
		}
		if kinds[c] != aDigit {
			letters++
		}
	}
	all := len(n.figures)
	return all > 0 && all <= 64 && (letters < all || n.hex || all%2 == 0 && all <= 8)
}

var suffixes = setOf("hHuUlLn")

// trim takes the marks of the base and of the type off, as 0x4aULL has them.
func (n *numeric) trim() {
	f := n.figures
	for len(f) > 1 && suffixes[f[len(f)-1]] {
		n.hex = n.hex || f[len(f)-1]|0x20 == 'h'
		f = f[:len(f)-1]
	}
	n.figures = f
	if len(f) > 2 && f[0] == '0' {
		switch f[1] | 0x20 {
		case 'x':
			n.figures, n.hex = f[2:], true
			return
		case 'o':
			n.figures, n.octal = f[2:], true
			return
		case 'b':
			if onlyBits(f[2:]) && len(f) > 4 {
				n.figures, n.binary = f[2:], true
				return
			}
		}
	}
	if len(f) > 1 && (f[0] == 'x' || f[0] == 'X' || f[0] == 'u' || f[0] == 'U') {
		n.figures, n.hex = f[1:], true
	}
}

func onlyBits(b []byte) bool {
	for _, c := range b {
		if c != '0' && c != '1' {
			return false
		}
	}
	return true
}
