package record

import (
	"bytes"
	"encoding/base64"
)

// turns are the ways to make one stream of a column's values. Each is linear,
// and nil where it does not apply.
func turns() []func([][]byte) []byte {
	return []func([][]byte) []byte{
		trimmed, distinct, ofOneKind, asNumbers, asAddresses, asLengths,
		decoded, bare, perPlace, perPlaceBack, ends, asSymbols, shares, halves,
	}
}

// trimmed leaves out the prefix and the suffix that all values share.
func trimmed(vals [][]byte) []byte {
	if len(vals) < 2 {
		return nil
	}
	first := vals[0]
	pre, suf, least := len(first), len(first), len(first)
	for _, v := range vals[1:] {
		pre = min(pre, shared(first, v))
		suf = min(suf, sharedEnd(first, v))
		least = min(least, len(v))
	}
	if suf = min(suf, least-pre); pre+suf == 0 {
		return nil
	}
	var b []byte
	for _, v := range vals {
		b = append(b, v[pre:len(v)-suf]...)
	}
	return b
}

func shared(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func sharedEnd(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// distinct drops what equals the value before, then what was there anywhere.
func distinct(vals [][]byte) []byte {
	seen := make(map[string]bool, len(vals))
	var next, once []byte
	for i, v := range vals {
		if i == 0 || !bytes.Equal(v, vals[i-1]) {
			next = append(next, v...)
		}
		if !seen[string(v)] {
			seen[string(v)] = true
			once = append(once, v...)
		}
	}
	if len(seen) == len(vals) {
		return nil
	}
	return append(append(next, gap...), once...)
}

// ofOneKind keeps the values that are hexadecimal, then those of the commonest
// length, where others stand between.
func ofOneKind(vals [][]byte) []byte {
	count := map[int]int{}
	common := 0
	var digits, sized []byte
	for _, v := range vals {
		count[len(v)]++
		if n := len(v); count[n] > count[common] {
			common = n
		}
		if isHex(v) {
			digits = append(digits, v...)
		}
	}
	if count[common] < len(vals) {
		for _, v := range vals {
			if len(v) == common {
				sized = append(sized, v...)
			}
		}
	}
	return append(append(digits, gap...), sized...)
}

func isHex(b []byte) bool {
	for _, c := range b {
		if nibble(c) < 0 {
			return false
		}
	}
	return len(b) > 0
}

// decoded is each value's own base64, joined.
func decoded(vals [][]byte) []byte {
	var b []byte
	for _, v := range vals {
		s := bytes.TrimRight(v, "=")
		if len(s) < 2 {
			continue
		}
		part := make([]byte, base64.RawStdEncoding.DecodedLen(len(s)))
		n, err := base64.RawStdEncoding.Decode(part, s)
		if err != nil {
			n, err = base64.RawURLEncoding.Decode(part, s)
		}
		if err == nil {
			b = append(b, part[:n]...)
		}
	}
	return b
}

// bare keeps letters and digits only.
func bare(vals [][]byte) []byte {
	var b []byte
	dropped := false
	for _, v := range vals {
		for _, c := range v {
			if alnum(c) {
				b = append(b, c)
			} else {
				dropped = true
			}
		}
	}
	if !dropped {
		return nil
	}
	return b
}

func alnum(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|32 && c|32 <= 'z' }

// perPlace reads the values downwards: every first character, every second.
func perPlace(vals [][]byte) []byte {
	return downwards(vals, func(v []byte, k int) byte { return v[k] })
}

// perPlaceBack does so from the ends.
func perPlaceBack(vals [][]byte) []byte {
	for _, v := range vals {
		if len(v) != len(vals[0]) {
			return downwards(vals, func(v []byte, k int) byte { return v[len(v)-1-k] })
		}
	}
	return nil
}

func downwards(vals [][]byte, at func([]byte, int) byte) []byte {
	rest := append([][]byte(nil), vals...)
	var b []byte
	for k := 0; len(rest) > 1; k++ {
		kept := rest[:0]
		for _, v := range rest {
			if k < len(v) {
				b = append(b, at(v, k))
				kept = append(kept, v)
			}
		}
		rest = kept
	}
	return b
}

// ends are the first two and the last two characters of every value, the
// values without their ends, and the ends alone.
func ends(vals [][]byte) []byte {
	var head, tail, core, both []byte
	for _, v := range vals {
		n := len(v)
		head = append(head, v[:min(n, 2)]...)
		tail = append(tail, v[max(0, n-2):]...)
		if n > 2 {
			core = append(core, v[1:n-1]...)
			both = append(both, v[0], v[n-1])
		}
	}
	return bytes.Join([][]byte{head, tail, core, both}, []byte(gap))
}

// halves are what stands before and after the first punctuation of each value.
func halves(vals [][]byte) []byte {
	var before, after []byte
	for _, v := range vals {
		i := bytes.IndexFunc(v, func(r rune) bool { return r < 0x80 && !alnum(byte(r)) })
		if i < 0 {
			continue
		}
		before = append(before, v[:i]...)
		after = append(after, v[i+1:]...)
	}
	if before == nil {
		return nil
	}
	return append(append(before, gap...), after...)
}

const sharesMost = 16 // values that are summed as shares of one

// shares is the exclusive or of few values of one length, all together and
// each with the next.
func shares(vals [][]byte) []byte {
	if len(vals) < 2 || len(vals) > sharesMost {
		return nil
	}
	var all, pairs, last []byte
	for _, v := range vals {
		raw := spelled(v)
		if len(raw) < shortest || last != nil && len(raw) != len(last) {
			return nil
		}
		if last == nil {
			all = make([]byte, len(raw))
		} else {
			pairs = append(pairs, xor(raw, last)...)
		}
		all, last = xor(all, raw), raw
	}
	return append(append(all, gap...), pairs...)
}

func xor(a, b []byte) []byte {
	c := make([]byte, len(a))
	for i := range c {
		c[i] = a[i] ^ b[i]
	}
	return c
}

// spelled is what v spells in hexadecimal or base64, or nothing.
func spelled(v []byte) []byte {
	if isHex(v) && len(v)%2 == 0 {
		raw := make([]byte, len(v)/2)
		for i := range raw {
			raw[i] = byte(nibble(v[2*i])<<4 | nibble(v[2*i+1]))
		}
		return raw
	}
	return decoded([][]byte{v})
}
