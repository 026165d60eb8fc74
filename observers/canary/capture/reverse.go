package capture

import (
	"bytes"
	"strconv"
)

// pointers yields the addresses of names under in-addr.arpa and ip6.arpa
// (RFC 1035, 3.5; RFC 3596, 2.5), and leaves the others.
func (e *emitter) pointers(list []name) (others []name) {
	var v4, v6 [][]byte
	for _, n := range list {
		switch n.domain() {
		case "in-addr.arpa":
			v4 = appendSome(v4, octets(reversed(n[:len(n)-2])))
		case "ip6.arpa":
			v6 = appendSome(v6, nibbles(reversed(n[:len(n)-2])))
		default:
			others = append(others, n)
		}
	}
	for _, list := range [][][]byte{v4, v6} {
		e.units(list)
		for i := range list {
			list[i] = reversed(list[i])
		}
		e.units(list)
	}
	return others
}

func appendSome(list [][]byte, s []byte) [][]byte {
	if len(s) == 0 {
		return list
	}
	return append(list, s)
}

func octets(labels name) []byte {
	var out []byte
	for _, l := range labels {
		n, err := strconv.ParseUint(string(l), 10, 8)
		if err != nil {
			return nil
		}
		out = append(out, byte(n))
	}
	return out
}

func nibbles(labels name) []byte {
	a := newAlphabet(digit+"abcdef", true)
	out, _ := a.decode(bytes.Join(labels, nil))
	return out
}
