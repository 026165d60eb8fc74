package text

import (
	"bytes"

	"postern/observers/canary/layer"
)

const (
	fewQuanta  = 3 // pieces in a row, each padded for itself
	quantumGap = 6 // bytes between them
)

var quantumSymbols = setOf(digits + lower + upper + "+/-_")

// openQuanta reads base64 and base32 that were made in pieces and put in a row:
// where one ends in padding, the next begins in its first phase again.
func openQuanta(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := &out{room: room, yield: yield}
	for i := 0; !o.ended; {
		k := bytes.IndexByte(b[i:], '=')
		if k < 0 {
			break
		}
		i = o.quanta(b, i, i+k)
	}
	o.flush()
}

// quanta decodes the pieces around the padding at mark, which do not begin before
// low, and returns where they end.
func (o *out) quanta(b []byte, low, mark int) int {
	from := mark
	for from > low && quantumSymbols[b[from-1]] {
		from--
	}
	if from == mark {
		return mark + 1
	}
	var all64, all32 []byte
	pieces, end := 0, mark+1
	for i := from; i < len(b); pieces++ {
		to := i
		for to < len(b) && quantumSymbols[b[to]] {
			to++
		}
		if to == i {
			break
		}
		all64 = pack(all64, b[i:to], base64Alphabet, 6)
		all32 = pack(all32, b[i:to], base32Alphabet, 5)
		for end = to; end < len(b) && b[end] == '='; end++ {
		}
		if end == to { // the last, or what follows
			pieces++
			break
		}
		i = end
		for i < len(b) && i-end < quantumGap && !quantumSymbols[b[i]] {
			i++
		}
	}
	if pieces >= fewQuanta {
		o.offer("base64-quanta", from, all64)
		o.offer("base32-quanta", from, all32)
	}
	return max(end, mark+1)
}
