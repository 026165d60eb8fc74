package canary

import "postern/observers/canary/layer"

// radix is a way to write bytes in symbols of a few bits each.
type radix struct {
	technique layer.Technique
	bits      int       // of a symbol
	step      int       // bits between the places in the symbols where bytes may begin
	least     int       // symbols that hold eight bytes
	value     [256]byte // of each symbol, or none
}

const none = 0xff

func newRadix(t layer.Technique, bits, step int, alphabets ...string) *radix {
	r := &radix{technique: t, bits: bits, step: step, least: (8*word + bits - 1) / bits}
	for i := range r.value {
		r.value[i] = none
	}
	for _, symbols := range alphabets {
		for v, c := range []byte(symbols) {
			r.value[c] = byte(v)
		}
	}
	return r
}

const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower   = "abcdefghijklmnopqrstuvwxyz"
)

var (
	hexRadix    = newRadix("hex", 4, 4, "0123456789abcdef", "0123456789ABCDEF")
	base32Radix = newRadix("base32", 5, 1, letters+"234567", lower+"234567")
	base64Radix = newRadix("base64", 6, 2, letters+lower+"0123456789+/", letters+lower+"0123456789-_")
)

// find looks for canaries as they are, and undoes each way of writing them: the
// bytes in any, and the hexadecimal digits in any once more.
func (w *words) find(b []byte, yield func(layer.Match) bool) {
	if !w.plain(b, "raw", func(i int) int { return i }, yield) {
		return
	}
	for _, r := range []*radix{hexRadix, base64Radix, base32Radix} {
		if !w.written(r, b, "", func(i int) int { return i }, yield) {
			return
		}
	}
}

func (w *words) plain(b []byte, t layer.Technique, offset func(int) int, yield func(layer.Match) bool) bool {
	return w.each(b, func(canary, at, bits int) bool {
		return yield(layer.Match{Secret: canary, Technique: t, Offset: offset(at), Bits: bits})
	})
}

// written undoes what a radix may have written, from each place where it can
// have begun.
func (w *words) written(r *radix, b []byte, above layer.Technique, offset func(int) int, yield func(layer.Match) bool) bool {
	var values, out []byte
	for at := 0; at < len(b); {
		if r.value[b[at]] == none {
			at++
			continue
		}
		begin, stride := at, 1
		values, at, stride = r.run(values[:0], b, at)
		if len(values) < r.least {
			continue
		}
		for skipped := 0; skipped < 8; skipped += r.step {
			out = r.decode(out[:0], values, skipped)
			place := func(i int) int { return offset(begin + stride*((skipped+8*i)/r.bits)) }
			if !w.plain(out, above+r.technique, place, yield) {
				return false
			}
			if above == "" && len(out) >= 2*word && !w.written(hexRadix, out, r.technique+"/", place, yield) {
				return false
			}
		}
	}
	return true
}

// run reads symbols from at on, in UTF-16 every other byte.
func (r *radix) run(values, b []byte, at int) (all []byte, end, stride int) {
	stride = 1
	if at+1 < len(b) && b[at+1] == 0 {
		stride = 2
	}
	for at < len(b) && r.value[b[at]] != none && (stride == 1 || at+1 == len(b) || b[at+1] == 0) {
		values = append(values, r.value[b[at]])
		at += stride
	}
	if stride == 1 && at < len(b) && b[at] == 0 {
		at-- // the last may be the first of a run in UTF-16
	}
	return values, at, stride
}

// decode leaves a few bits out in front: the bytes may begin within a symbol.
func (r *radix) decode(out, values []byte, skipped int) []byte {
	held, count := uint32(0), -skipped
	for _, v := range values {
		held, count = held<<r.bits|uint32(v), count+r.bits
		if count >= 8 {
			count -= 8
			out = append(out, byte(held>>count))
		}
	}
	return out
}
