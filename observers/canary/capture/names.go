package capture

import (
	"bytes"
	"slices"
)

// name is the labels of a host name, the host first.
type name [][]byte

const (
	namesMost   = 1 << 18 // of one piece
	domainsMost = 64      // that are followed one by one
)

// names yields what host names carry: domain by domain where several names
// share one, then all together.
func (e *emitter) names(list []name) {
	if len(list) > namesMost {
		e.room.Spend()
		list = list[:namesMost]
	}
	domains := map[string][]name{}
	var order []string
	for _, n := range list {
		d := n.domain()
		if _, old := domains[d]; !old {
			order = append(order, d)
		}
		domains[d] = append(domains[d], n)
	}
	slices.SortStableFunc(order, func(a, b string) int { return len(domains[b]) - len(domains[a]) })
	for _, d := range order[:min(len(order), domainsMost)] {
		e.domain(domains[d])
	}
	if len(order) > 1 {
		e.domain(list)
	}
}

// domain is the last two labels without their case.
func (n name) domain() string {
	return string(bytes.ToLower(bytes.Join(n[max(0, len(n)-2):], []byte{'.'})))
}

// domain follows names under one parent.
func (e *emitter) domain(list []name) {
	shared := sharedLabels(list)
	var rows, fine []row
	var whole [][]byte
	for _, n := range list {
		labels := n[:len(n)-min(shared, len(n))]
		if len(labels) == 0 {
			continue
		}
		rows = append(rows, row(labels))
		fine = append(fine, subfields(labels))
		whole = append(whole, bytes.Join(labels, nil))
	}
	e.cases(joined(list))
	if len(rows) == 0 || e.done {
		return
	}
	e.labels(whole)
	if total(whole) > bytesMost {
		e.room.Spend()
		return
	}
	e.rows(rows)
	if slices.ContainsFunc(fine, func(r row) bool { return len(r) > 1 }) {
		e.rows(fine)
	}
	e.turned(rows)
	e.shapeOf(rows)
}

// sharedLabels counts the labels at the end that all names have. Of a name that
// is alone the last two are taken for its parent.
func sharedLabels(list []name) int {
	n := len(list[0])
	if len(list) == 1 {
		return min(2, n-1)
	}
	for _, m := range list[1:] {
		n = min(n, len(m))
		for k := range n {
			if !bytes.EqualFold(m[len(m)-1-k], list[0][len(list[0])-1-k]) {
				n = k
				break
			}
		}
	}
	return n
}

// subfields parts labels at the signs that a host name may have.
func subfields(labels name) row {
	var out row
	for _, l := range labels {
		out = append(out, bytes.FieldsFunc(l, func(r rune) bool { return r == '-' || r == '_' })...)
	}
	return out
}

// labels yields the labels of all names without dots, and decoded name by name.
func (e *emitter) labels(whole [][]byte) {
	once := unique(whole)
	e.both(once)
	e.both(whole)
	e.join(once, "\n")
	e.both(unique(folded(whole)))
	if total(once) > bytesMost {
		return
	}
	e.starred(once)
	e.decoded(once)
	for _, skip := range []int{1, 2, 3, 4, 5} { // a tunnel's command, user and header, as iodine has
		if cells := after(once, skip); len(cells) > 0 {
			e.join(cells, "")
			e.decoded(cells)
		}
	}
	e.nibbleNames(once)
}

func folded(list [][]byte) [][]byte {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = bytes.ToLower(s)
	}
	return out
}

func after(list [][]byte, skip int) [][]byte {
	var out [][]byte
	for _, s := range list {
		if len(s) > skip {
			out = append(out, s[skip:])
		}
	}
	return out
}

// starred puts back what names cannot hold: `*` stands for `+`, and a hyphen
// ends a label (dnsteal).
func (e *emitter) starred(list [][]byte) {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = bytes.ReplaceAll(bytes.ReplaceAll(s, []byte("-"), nil), []byte("*"), []byte("+"))
	}
	e.join(out, "")
}

// nibbleNames reads letters A to P as four bits each (RFC 1001, 14.1).
func (e *emitter) nibbleNames(list [][]byte) {
	a := newAlphabet(lower[:16], true)
	if out, ok := decodeAll(a, list); ok {
		e.join(out, "")
	}
}

// turned joins the labels of each name from the parent down.
func (e *emitter) turned(rows []row) {
	out := make([][]byte, len(rows))
	for i, r := range rows {
		out[i] = bytes.Join(reversed(r), nil)
	}
	e.join(unique(out), "")
	e.join(out, "")
}

func joined(list []name) [][]byte {
	out := make([][]byte, len(list))
	for i, n := range list {
		out[i] = bytes.Join(n, nil)
	}
	return out
}

// shapeOf yields the case of letters, and how long and how many labels are.
func (e *emitter) shapeOf(rows []row) {
	var part, first [][]byte
	var lengths, counts, firsts, letters []uint64
	for i, r := range rows {
		part = append(part, bytes.Join(r, nil))
		first = append(first, r[0])
		counts = append(counts, uint64(len(r)))
		firsts = append(firsts, uint64(len(r[0])))
		letters = append(letters, uint64(len(part[i])))
		for _, l := range r {
			lengths = append(lengths, uint64(len(l)))
		}
	}
	e.cases(part)
	e.cases(first)
	for _, v := range [][]uint64{lengths, counts, firsts, letters} {
		e.numbers(1, v)
	}
}

// cases yields upper and lower case as bits: of all letters, and of the first
// letter of each.
func (e *emitter) cases(list [][]byte) {
	var all, firsts, any []bool
	for _, s := range list {
		mark := len(all)
		for _, c := range s {
			if c|0x20 >= 'a' && c|0x20 <= 'z' {
				all = append(all, c < 'a')
			}
		}
		if len(all) > mark {
			firsts = append(firsts, all[mark])
		}
		any = append(any, slices.Contains(all[mark:], true))
	}
	e.bits(all)
	e.bits(firsts)
	e.bits(any)
}
