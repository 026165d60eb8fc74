package text

import "postern/observers/canary/layer"

const (
	widestEven = 40       // bytes from one mark to the next of a text in even groups
	longEven   = 16 << 10 // bytes of such a text that is joined: longer ones are tables
	shortEven  = 16       // symbols of the groups together
	evenMarks  = 2        // equal distances in a row between marks
	letterEven = 3        // from so many on a letter may belong to what divides
)

// openEven joins what marks cut into groups of one length, whatever the marks
// are: a base64 text in fives with dots between, or digits in lines of eight with
// a remark's sign before each. What is joined is text again, for the others.
func openEven(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := &out{room: room, yield: yield}
	var last, period [256]int // of each mark: where it was, and how far from the one before
	var times [256]int        // that it was as far
	end := 0                  // of what was joined
	for i, c := range b {
		if kinds[c] != aMark {
			continue
		}
		p := i - last[c]
		last[c] = i
		if p != period[c] {
			period[c], times[c] = p, 0
			continue
		}
		if times[c]++; times[c] != evenMarks-1 || p < 2 || p > widestEven || i < end {
			continue
		}
		end = o.even(b, i, p)
		if o.ended {
			return
		}
	}
	o.flush()
}

// even joins the groups around the mark at i, which comes every p bytes, and
// returns where they end.
func (o *out) even(b []byte, i, p int) int {
	from, to := i, i
	for from-p >= 0 && b[from-p] == b[i] {
		from -= p
	}
	for to+p < len(b) && b[to+p] == b[i] {
		to += p
	}
	left, right := divider(b, from, to, p)
	n := p - 1 - left - right
	if n < 1 || to-from > longEven {
		return to
	}
	d := firstGroup(b, from-left, n)
	for k := from; k < to; k += p {
		d = append(d, b[k+1+right:][:n]...)
	}
	if d = append(d, lastGroup(b, to+1+right, n)...); len(d) >= shortEven && jumbled(d[:min(len(d), 255)]) && tight(d) {
		o.put("even-groups", max(from-p, 0), d)
	}
	return to
}

// tight reports whether hardly any byte is a space or a mark that no alphabet has.
func tight(b []byte) bool {
	n := 0
	for _, c := range b {
		if runSymbols[c] || c == '=' {
			n++
		}
	}
	return n*32 >= len(b)*31
}

// divider returns how many bytes on the left of a mark, and on its right, belong
// to what divides: they are the same beside each of the marks.
func divider(b []byte, from, to, p int) (left, right int) {
	same := func(k int) bool {
		if kinds[b[k]] != aMark && (to-from)/p < letterEven {
			return false
		}
		for ; k+p < to; k += p {
			if b[k] != b[k+p] {
				return false
			}
		}
		return true
	}
	for left < p-1 && same(from+p-1-left) {
		left++
	}
	for left+right < p-1 && same(from+1+right) {
		right++
	}
	return left, right
}

// firstGroup is what stands before the first mark, at most n bytes.
func firstGroup(b []byte, end, n int) []byte {
	from := max(end, 0)
	for from > 0 && end-from < n && b[from-1] > ' ' {
		from--
	}
	return append([]byte(nil), b[from:max(end, 0)]...)
}

// lastGroup is what stands behind the last mark, at most n bytes.
func lastGroup(b []byte, from, n int) []byte {
	from = min(from, len(b))
	to := from
	for to < len(b) && to-from < n && b[to] > ' ' {
		to++
	}
	return b[from:to]
}
