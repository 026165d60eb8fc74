package forms

import (
	"encoding/hex"
	"net/netip"
	"strings"
)

// addresses are sixteen bytes in the notations of names and networks.
func addresses(w *wardrobe) {
	r := w.raw
	if len(r.b) != 16 {
		return
	}
	for _, b := range [][]byte{r.b, guid(r.b), reversed(r.b)} {
		d := hex.EncodeToString(b)
		w.fold("hex", r.bits, []byte(d))
		w.fold("uuid", r.bits, []byte(strings.Join([]string{d[:8], d[8:12], d[12:16], d[16:20], d[20:]}, "-")))
		w.fold("ipv6", r.bits, []byte(netip.AddrFrom16([16]byte(b)).String()))
		for _, sep := range columns() {
			w.add("ipv4", r.bits, quads(b, sep))
		}
	}
}

func quads(b []byte, sep string) []byte {
	var out []string
	for ; len(b) >= 4; b = b[4:] {
		out = append(out, netip.AddrFrom4([4]byte(b)).String())
	}
	return []byte(strings.Join(out, sep))
}
