package container

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"postern/observers/canary/layer"
)

// LZString is the compression of texts in browsers (lz-string), whose output is
// written in Base64, in one of its own, or in characters of 15 or 16 bits.
const LZString layer.Technique = "lz-string"

const (
	lzsLeast  = 8  // characters that are not there by chance, where a stream comes to its end
	lzsCut    = 16 // and where it is cut, as by a decoder of Base64 that drops the last bits
	lzsSymbol = 12 // symbols in the shortest that is looked for
)

// openLZString reads a piece as a whole, as what Base64 stood for is, and each
// run of the alphabet for addresses and of characters of 15 bits.
func openLZString(w *work) {
	w.lzString(0, lzsBits{len(w.b), 8, func(i int) uint32 { return uint32(w.b[i]) }})
	for i := 0; i < len(w.b) && !w.done; {
		switch c := w.b[i]; {
		case lzsAddress(c) >= 0:
			from := i
			for i < len(w.b) && lzsAddress(w.b[i]) >= 0 {
				i++
			}
			if run := w.b[from:i]; len(run) >= lzsSymbol && bytes.ContainsAny(run, "-+$") {
				w.lzString(from, lzsBits{len(run), 6, func(i int) uint32 { return uint32(lzsAddress(run[i])) }})
			}
		case c >= utf8.RuneSelf && (i == 0 || w.b[i-1] < utf8.RuneSelf):
			i = w.lzStringWide(i)
		default:
			i++
		}
	}
}

// lzsAddress is the value of a symbol of compressToEncodedURIComponent, or below
// zero.
func lzsAddress(c byte) int { return int(lzsAddresses[c]) }

var lzsAddresses = func() (values [256]int8) {
	for c := range values {
		values[c] = int8(strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$", byte(c)))
	}
	return values
}()

// lzStringWide reads compressToUTF16: characters are 15 bits and 32 more. Some
// are ASCII, so that it may have begun a little before i.
func (w *work) lzStringWide(i int) (end int) {
	all, high := 0, 0
	for end = i; end < len(w.b); all++ {
		r, n := utf8.DecodeRune(w.b[end:])
		if r == utf8.RuneError || r < ' ' || r >= 1<<15+' ' || r == '"' {
			break
		}
		if r >= utf8.RuneSelf {
			high++
		}
		end += n
	}
	if high < lzsSymbol/2 || 2*high < all { // nearly all of what is not ASCII
		return max(end, i+1)
	}
	wide := make([]uint32, 0, all)
	for _, r := range string(w.b[i:end]) {
		wide = append(wide, uint32(r)-' ')
	}
	for from := i; ; from-- {
		w.lzString(from, lzsBits{len(wide), 15, func(k int) uint32 { return wide[k] }})
		if from == 0 || i-from == 4 || w.b[from-1] < ' ' || w.b[from-1] == '"' || w.done {
			return end
		}
		wide = append([]uint32{uint32(w.b[from-1]) - ' '}, wide...)
	}
}

// lzString yields a stream that comes to its end, or uses all that there is.
func (w *work) lzString(off int, in lzsBits) {
	w.unpack(LZString, off, func(limit int) ([]byte, bool) {
		out, used, whole, cut := in.decode(limit)
		w.charge(used)
		if len(out) < lzsLeast || !whole && (len(out) < lzsCut || !utf8.Valid(out)) {
			return nil, cut
		}
		return out, cut
	})
}

// lzsBits are symbols whose highest bit comes first.
type lzsBits struct {
	symbols, width int
	at             func(i int) uint32
}

// number reads n bits from place p on, the first as the lowest.
func (b lzsBits) number(p *int, n int) (v int, ok bool) {
	for k := range n {
		i := *p / b.width
		if i >= b.symbols {
			return 0, false
		}
		v |= int(b.at(i)>>(b.width-1-*p%b.width)&1) << k
		*p++
	}
	return v, true
}

// decode follows decompress of lz-string: codes 0 and 1 bring a new character,
// 2 is the end, and others are strings that were there.
func (b lzsBits) decode(limit int) (out []byte, used int, whole, cut bool) {
	entries := [][]byte{nil, nil, nil}
	var last []byte
	p, width, grow := 0, 2, 1
	grown := func() {
		if grow--; grow == 0 {
			grow = 1 << width
			width++
		}
	}
	for {
		code, ok := b.number(&p, width)
		switch {
		case !ok:
			return out, p, false, false
		case code == 2 && b.symbols-p/b.width <= 3:
			return out, p, true, false
		case code == 2:
			return nil, p, false, false
		}
		if code < 2 {
			c, ok := b.number(&p, 8+8*code)
			if !ok || last == nil && c < ' ' && c != '\n' && c != '\r' && c != '\t' {
				return nil, p, false, false
			}
			code = len(entries)
			entries = append(entries, utf8.AppendRune(nil, rune(c)))
			if last != nil {
				grown()
			}
		}
		var entry []byte
		switch {
		case code < len(entries) && entries[code] != nil:
			entry = entries[code]
		case code == len(entries) && last != nil:
			entry = append(last[:len(last):len(last)], firstRune(last)...)
		default:
			return nil, p, false, false
		}
		if len(out)+len(entry) > limit {
			return out, p, true, true
		}
		out = append(out, entry...)
		if last == nil {
			width, grow = 3, 4
		} else {
			entries = append(entries, append(last[:len(last):len(last)], firstRune(entry)...))
			grown()
		}
		last = entry
	}
}

func firstRune(b []byte) []byte {
	_, n := utf8.DecodeRune(b)
	return b[:n]
}
