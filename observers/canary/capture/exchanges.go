package capture

import (
	"bytes"
	"slices"
	"strconv"
)

// exchanges yields the bodies, then the fields by name over messages, then what
// the heads choose.
func (e *emitter) exchanges(list []exchange) {
	bodies, extensions := newFlows[int](), newFlows[int]()
	var sizes []uint64
	var targets, starts [][]byte
	for _, x := range list {
		bodies.add(0, x.body)
		for _, c := range x.chunks {
			n, _ := strconv.ParseUint(string(c.size), 16, 40)
			if sizes = append(sizes, n); n == 0 {
				sizes = sizes[:len(sizes)-1]
			}
			extensions.add(0, c.rest)
			_, value, _ := bytes.Cut(c.rest, []byte{'='})
			extensions.add(1, value)
		}
		if words := bytes.Fields(x.start); len(words) > 2 && !bytes.HasPrefix(x.start, []byte("HTTP/")) {
			targets = append(targets, words[1])
		}
		starts = append(starts, x.start)
	}
	for _, l := range append(bodies.lists(), extensions.lists()...) {
		e.units(l)
	}
	e.numbers(2, sizes)
	e.targets(targets)
	e.heads(list)
	e.methods(starts)
}

// methods yields the first two words of start lines: methods or status codes.
func (e *emitter) methods(starts [][]byte) {
	for k := range 2 {
		var column [][]byte
		var codes []uint64
		for _, s := range starts {
			words := bytes.Fields(s)
			if k < len(words) {
				column = append(column, words[k])
				n, _ := strconv.ParseUint(string(words[k]), 10, 16)
				codes = append(codes, n)
			}
		}
		e.words(column)
		e.numbers(2, codes)
	}
}

// heads yields the values of fields by name, all values of a message, and the
// names in their order.
func (e *emitter) heads(list []exchange) {
	byName := newFlows[string]()
	var hosts []name
	var all []row
	for _, x := range list {
		var values [][]byte
		var rows []row
		for _, f := range x.fields {
			key := string(bytes.ToLower(f.name))
			byName.add(key, f.value)
			byName.add(stem(key), f.value)
			values = append(values, f.value)
			rows = append(rows, row{f.name, f.value})
			if key == "host" || key == ":authority" {
				hosts = append(hosts, labelsOf(f.value))
			}
			if key == "cookie" || key == "set-cookie" {
				e.pairs(f.value, ';')
			}
		}
		e.join(values, "")
		e.rows(rows)
		all = append(all, rows...)
	}
	for _, l := range byName.lists() {
		e.join(l, "")
		e.texts(l)
		e.rows(single(l))
		e.units(l)
	}
	if len(hosts) > 1 {
		e.names(hosts)
	}
	e.rows(all)
	e.headShape(list)
}

// stem is a name without its digits, as X-Part has that X-Part-1 came from.
func stem(s string) string {
	return "\x00" + string(bytes.TrimRight([]byte(s), "0123456789-_"))
}

func single(list [][]byte) []row {
	out := make([]row, len(list))
	for i, s := range list {
		out[i] = row{s}
	}
	return out
}

// pairs yields the values and the names of a list of assignments.
func (e *emitter) pairs(s []byte, sep byte) {
	var names, values [][]byte
	var rows []row
	for _, p := range bytes.Split(s, []byte{sep}) {
		n, v, _ := bytes.Cut(bytes.TrimSpace(p), []byte{'='})
		names, values = append(names, n), append(values, v)
		rows = append(rows, row{n, v})
	}
	e.join(values, "")
	e.join(names, "")
	e.rows(rows)
}

// headShape yields what is in the names rather than in the values: their order,
// their presence, their case, the blanks before a value.
func (e *emitter) headShape(list []exchange) {
	var gaps []uint64
	var names [][]byte
	presence := map[string][]bool{}
	var order []string
	places := newFlows[int]()
	for i, x := range list {
		for k, f := range x.fields {
			gaps = append(gaps, uint64(len(f.gap)))
			names = append(names, f.name)
			if k < fieldsMost {
				places.add(k, bytes.ToLower(f.name))
			}
			key := string(bytes.ToLower(f.name))
			if _, old := presence[key]; !old && len(order) < fieldsMost {
				order = append(order, key)
				presence[key] = make([]bool, len(list))
			}
			if p := presence[key]; p != nil {
				p[i] = true
			}
		}
	}
	e.numbers(1, gaps)
	e.cases(names)
	e.words(names)
	slices.Sort(order)
	for _, key := range order {
		e.bits(presence[key])
	}
	for _, l := range places.lists() {
		e.words(l)
	}
}
