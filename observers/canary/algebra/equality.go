package algebra

import (
	"math"
	"math/bits"

	"postern/observers/canary/words"
)

// An equality pattern says which symbols of a sequence are equal: for each, how
// far back the same one stands, up to eight. It stays the same whatever is put
// for the symbols, one for one. From the ninth symbol of a piece of the secret
// on, these distances are the secret's own, whatever stands before the piece.
const (
	reach      = 8                       // how far back is looked
	wordLength = 12                      // distances in a word, four bits each
	within     = reach + wordLength      // symbols that decide a word
	minSymbols = 24                      // of a piece
	wordStep   = minSymbols - within + 1 // a piece has so many ends of words inside
	nowhere    = reach                   // the distance less one, where there is none
	minEqual   = 2                       // distances in a word that are not nowhere
	minSurety  = 44                      // bits: what random symbols have more often is not reported
	maxSymbols = 128                     // of a long secret the first are used
	wordMask   = 1<<(4*wordLength) - 1
)

// equality is the table of the words of all secrets.
type equality struct {
	words.Table
	sequences []sequence
}

// sequence is the symbols of one secret.
type sequence struct {
	secret  int
	symbols []byte
	bits    int // of the secret, in each symbol
	whole   int
	least   int // symbols that are reported
}

func (e *equality) hold(s sequence) {
	s.symbols = s.symbols[:min(len(s.symbols), maxSymbols)]
	if len(s.symbols) < minSymbols || surety(s.symbols) < minSurety {
		return
	}
	e.sequences = append(e.sequences, s)
	for end := within; end <= len(s.symbols); end++ {
		if word := equalityWord(s.symbols[end-within : end]); meaningful(word) {
			e.Add(word, len(e.sequences)-1, end)
		}
	}
}

// meaningful leaves out words that much other data has.
func meaningful(word uint64) bool {
	equal := 0
	for i := range wordLength {
		if word>>(4*i)&15 != nowhere {
			equal++
		}
	}
	return equal >= minEqual
}

// surety is -log2 of the probability that independent, uniform symbols have
// this equality pattern, for the alphabet that makes it most probable.
func surety(symbols []byte) float64 {
	m, most := distinct(symbols), math.Inf(-1)
	for size := m; size <= 4096; size++ {
		p := -float64(len(symbols)) * math.Log2(float64(size))
		for i := range m {
			p += math.Log2(float64(size - i))
		}
		most = max(most, p)
		if p < most {
			break // one maximum
		}
	}
	return -most
}

func equalityWord(symbols []byte) uint64 {
	var before, word uint64
	for _, c := range symbols {
		word = word<<4 | distance(before, c)
		before = before<<8 | uint64(c)
	}
	return word & wordMask
}

// distance is how far back c stands among the last eight, less one.
func distance(before uint64, c byte) uint64 {
	x := before ^ uint64(c)*ones
	return uint64(bits.TrailingZeros64((x-ones)&^x&tops)) >> 3
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// passBytes looks at the words of b[lo:hi], one every wordStep.
func (e *equality) passBytes(b []byte, lo, hi int, hit func(end int, word uint64)) {
	var before, word uint64
	for _, c := range b[max(lo-within, 0):lo] {
		word, before = word<<4|distance(before, c), before<<8|uint64(c)
	}
	for p := lo; p < hi; {
		end := min(p+wordStep, hi)
		for ; p < end; p++ {
			c := b[p]
			x := before ^ uint64(c)*ones
			word = word<<4 | uint64(bits.TrailingZeros64((x-ones)&^x&tops))>>3
			before = before<<8 | uint64(c)
		}
		if w := word & wordMask; e.May(w) {
			hit(end, w)
		}
	}
}

// passWide is the same for symbols of sixteen bits.
func (e *equality) passWide(symbols []uint16, hit func(end int, word uint64)) {
	const (
		ones = 0x0001000100010001
		tops = 0x8000800080008000
	)
	var near, far, word uint64
	for p := 0; p < len(symbols); {
		end := min(p+wordStep, len(symbols))
		for ; p < end; p++ {
			w := uint64(symbols[p]) * ones
			x, y := near^w, far^w
			found := uint64(bits.TrailingZeros64((x-ones)&^x&tops)) >> 4
			if found == 4 {
				found += uint64(bits.TrailingZeros64((y-ones)&^y&tops)) >> 4
			}
			word = word<<4 | found
			far, near = far<<16|near>>48, near<<16|uint64(symbols[p])
		}
		if w := word & wordMask; e.May(w) {
			hit(end, w)
		}
	}
}

// symbol is one of a sequence that was taken out of the input.
type symbol interface{ ~uint8 | ~uint16 }

// extent is how far around the window that ends at end (and at its end in the
// secret's sequence) the input maps to the secret one for one.
func extent[S symbol](in []S, end int, of []byte, at int) (lo, hi int) {
	lo, hi = at-within, at
	if end < within {
		return at, at
	}
	in0 := end - at // where the sequence would begin
	for i := lo; i < hi; i++ {
		if !agrees(in, in0, of, lo, i, i) {
			return at, at
		}
	}
	for hi < len(of) && in0+hi < len(in) && agrees(in, in0, of, lo, hi, hi) {
		hi++
	}
	for lo > 0 && in0+lo > 0 && agrees(in, in0, of, lo, hi, lo-1) {
		lo--
	}
	return lo, hi
}

// agrees reports whether symbol i is equal to the same ones of lo to hi in both.
func agrees[S symbol](in []S, in0 int, of []byte, lo, hi, i int) bool {
	for j := lo; j < hi; j++ {
		if (in[in0+i] == in[in0+j]) != (of[i] == of[j]) {
			return false
		}
	}
	return true
}
