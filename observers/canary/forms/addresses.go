package forms

import (
	"encoding/hex"
	"net/netip"
	"strconv"
)

// addresses are sixteen bytes in the notations of names and networks.
func addresses(w *wardrobe) {
	r := w.raw
	if len(r.b) != 16 {
		return
	}
	for _, b := range [][]byte{r.b, w.guid(r.b), w.reversed(r.b)} {
		d := w.take(32)
		hex.Encode(d, b)
		w.put("hex", r.bits, d, true)
		w.put("uuid", r.bits, w.uuid(d), true)
		room := w.take(len("0000:0000:0000:0000:0000:0000:0000:0000"))
		w.put("ipv6", r.bits, netip.AddrFrom16([16]byte(b)).AppendTo(room[:0]), true)
		for _, sep := range columns() {
			w.add("ipv4", r.bits, w.quads(b, sep))
		}
	}
}

func (r *room) uuid(digits []byte) []byte {
	out := r.take(36)
	at := 0
	for i, c := range digits {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			out[at] = '-'
			at++
		}
		out[at] = c
		at++
	}
	return out
}

func (r *room) quads(b []byte, sep string) []byte {
	room := r.take(len(b) * (4 + len(sep)))
	out := room[:0]
	for i, c := range b {
		switch {
		case i == 0:
		case i%4 == 0:
			out = append(out, sep...)
		default:
			out = append(out, '.')
		}
		out = strconv.AppendUint(out, uint64(c), 10)
	}
	return r.trim(room, len(out))
}
