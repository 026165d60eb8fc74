package container

import (
	"slices"

	"postern/observers/canary/layer"
)

// MaskedText is text that a constant was XORed with or added to.
const MaskedText layer.Technique = "masked-text"

const (
	maskedText    = 64 << 10
	shiftedText   = 4 << 10 // of pieces in which text is looked for under an addition
	maskedRun     = 24      // bytes that are text under one key: of noise, once in 2^28
	maskedKeys    = 3       // of one run
	maskedSymbols = 8       // that a run has at least: one byte over and over is text under any key
)

// mask is what a constant did to each byte: it was added, or XORed.
type mask struct{ xor, add byte }

func (m mask) off(c byte) byte { return c - m.add ^ m.xor }

// maskRange is the bytes that some keys make text of.
type maskRange struct {
	in   [256]bool
	keys []mask
}

// opensMaskedText looks for runs of bytes that are text under one key: with its
// three highest bits those of text, or in a range no wider than that of text.
func opensMaskedText() func(*work) {
	xored, added := xoredRanges(), addedRanges()
	return func(w *work) {
		if len(w.b) < maskedRun || len(w.b) > maskedText {
			return
		}
		for i := range xored {
			w.textUnder(&xored[i])
		}
		if len(w.b) <= shiftedText {
			for i := range added {
				w.textUnder(&added[i])
			}
		}
	}
}

func xoredRanges() (all []maskRange) {
	for high := byte(1); high < 8; high++ {
		var r maskRange
		for c := range 256 {
			top := byte(c)>>5 ^ high
			r.in[c] = top >= 1 && top <= 3
		}
		for low := range byte(32) {
			r.keys = append(r.keys, mask{xor: high<<5 | low})
		}
		all = append(all, r)
	}
	return all
}

func addedRanges() (all []maskRange) {
	for start := 0; start < 256; start += shifts {
		var r maskRange
		for i := range printable + shifts - 1 {
			r.in[byte(start+i)] = true
		}
		for low := range shifts {
			if add := byte(start + low - ' '); add != 0 && add != 0x80 { // no mask, and the XOR of one bit
				r.keys = append(r.keys, mask{add: add})
			}
		}
		all = append(all, r)
	}
	return all
}

const (
	shifts    = 16 // keys that are tried at a time
	printable = 95 // ASCII from the space on
)

// textUnder yields each run of some bytes under the keys that make text of it.
func (w *work) textUnder(r *maskRange) {
	in := &r.in
	for i := 0; i+maskedRun <= len(w.b) && !w.done; {
		j := i + maskedRun - 1
		for j >= i && in[w.b[j]] {
			j--
		}
		if j >= i {
			i = j + 1
			continue
		}
		end := i + maskedRun
		for end < len(w.b) && in[w.b[end]] {
			end++
		}
		last := end
		for _, m := range unmasking(w.b[i:end], r.keys) {
			from, to := w.text(i, end, m)
			out := make([]byte, 0, to-from)
			for _, c := range w.b[from:to] {
				out = append(out, m.off(c))
			}
			w.view(MaskedText, from, out)
			last = max(last, to)
		}
		i = last + 1
	}
}

// text is how far the text goes on under a key on both sides of a run, with the
// ends of its lines.
func (w *work) text(from, to int, m mask) (int, int) {
	for from > 0 && isText(m.off(w.b[from-1])) {
		from--
	}
	for to < len(w.b) && isText(m.off(w.b[to])) {
		to++
	}
	return from, to
}

func isText(c byte) bool { return c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' }

func readable(b []byte) bool {
	for _, c := range b {
		if !isText(c) {
			return false
		}
	}
	return true
}

// unmasking are the few keys that leave most of a run letters, digits and spaces,
// if that is nearly all and clearly more than without a key. The complement of
// text of any kind is text as well: who complements has chosen no key.
func unmasking(run []byte, keys []mask) []mask {
	var counts [256]uint32
	var symbols [256]byte
	n := 0
	for _, c := range run {
		if counts[c] == 0 {
			symbols[n] = c
			n++
		}
		counts[c]++
	}
	if n < maskedSymbols {
		return nil
	}
	good := func(m mask, least int) (sum int) { // no more than to know that it is less than the least
		sum = len(run)
		for _, c := range symbols[:n] {
			if !usual(m.off(c)) {
				if sum -= int(counts[c]); sum < least {
					break
				}
			}
		}
		return sum
	}
	bare := good(mask{}, 0)
	plain := 12*int(counts[' ']) >= len(run) && readable(symbols[:n]) // text as it stands
	if plain || 16*bare >= 15*len(run) {
		return nil
	}
	type scored struct {
		key  mask
		good int
	}
	var found []scored
	for _, m := range keys {
		sum := good(m, (7*len(run)+7)/8)
		if m.xor == 0xff {
			sum = len(run)
		}
		if 8*sum >= 7*len(run) && maskedRun*(sum-bare) > len(run) {
			found = append(found, scored{m, sum})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.good - a.good })
	var best []mask
	for _, k := range found[:min(len(found), maskedKeys)] {
		best = append(best, k.key)
	}
	return best
}

func usual(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == ' '
}
