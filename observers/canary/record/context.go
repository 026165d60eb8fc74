package record

import (
	"slices"

	"postern/observers/canary/layer"
)

// openContext groups tokens over the whole piece by what stands beside them:
// the word before, the punctuation before, the word after; and the hexadecimal
// ones by their length.
func openContext(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > large || !textual(b) || len(b) > thoroughMost && !looksLogged(b) {
		return
	}
	o := newOut("context", len(b), room, yield)
	list := []*table{beside(b, words())}
	if len(b) <= thoroughMost {
		list = append(list, beside(b, wide()))
	}
	derive(o, slices.Values(list), false)
	if len(b) > thoroughMost/4 {
		return
	}
	for _, t := range list {
		if len(t.cols) > 0 {
			giveTurns(o, t, nil)
		}
	}
}

const (
	afterWord = iota + 1
	afterSign
	beforeWord
	ofLength
	anyDigits
)

func beside(b []byte, t *signs) *table {
	k := newKeyed()
	var last []byte
	end := 0
	for row := 0; ; row++ {
		from, to := t.next(b, end)
		if from == len(b) {
			return common(k)
		}
		c := cell{row, from, b[from:to]}
		if letters(last) && len(last) > 0 {
			k.put(hash(afterWord, last, false), c)
		}
		if letters(c.val) && len(last) > 0 {
			k.put(hash(beforeWord, c.val, false), cell{row, end - len(last), last})
		}
		if sign := b[end:from]; len(sign) > 0 && len(sign) < 6 && string(sign) != " " {
			k.put(hash(afterSign, sign, false), c)
		}
		if isHex(c.val) {
			k.put(anyDigits, c)
			k.put(ofLength<<32|uint64(len(c.val)), c)
		}
		last, end = c.val, to
	}
}

// common keeps the columns with enough in them.
func common(k *keyed) *table {
	kept := k.t.cols[:0]
	for _, c := range k.t.cols {
		n := 0
		for _, x := range c {
			n += len(x.val)
		}
		if n >= shortest && len(c) > 1 {
			kept = append(kept, c)
		}
	}
	k.t.cols = kept
	return &k.t
}
