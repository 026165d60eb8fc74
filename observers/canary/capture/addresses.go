package capture

import (
	"bytes"
	"net/netip"
)

const rankMost = 4 // addresses of a line that are followed by their place in it

// openAddresses takes the addresses out of a text, as bytes: all, and the first
// of each line, the second and so on.
func openAddresses(b []byte, e *emitter) {
	for _, find := range []func([]byte, int) (netip.Addr, int, int){nextIP4, nextIP6} {
		all := newFlows[int]()
		for at, line, rank := 0, 0, 0; ; {
			a, from, to := find(b, at)
			if to == 0 {
				break
			}
			if bytes.IndexByte(b[line:from], '\n') >= 0 {
				rank = 0
			}
			line = from
			all.add(0, a.AsSlice())
			if rank++; rank <= rankMost {
				all.add(rank, a.AsSlice())
			}
			at = to
		}
		if len(all.list) == 0 || len(all.list[0]) < 2 {
			continue
		}
		for _, l := range all.lists() {
			e.units(l)
		}
	}
}

func nextIP4(b []byte, at int) (a netip.Addr, from, to int) {
	for {
		i := bytes.IndexByte(b[at:], '.')
		if i < 0 {
			return a, 0, 0
		}
		i += at
		if i == at || i+1 == len(b) || b[i-1] < '0' || b[i-1] > '9' || b[i+1] < '0' || b[i+1] > '9' {
			at = i + 1
			continue
		}
		from, to = i, i
		for from > at && b[from-1] >= '0' && b[from-1] <= '9' {
			from--
		}
		for to < len(b) && (b[to] >= '0' && b[to] <= '9' || b[to] == '.') {
			to++
		}
		at = to
		s := bytes.TrimRight(b[from:to], ".")
		if to-from > 64 {
			continue
		}
		if parts := bytes.SplitN(s, []byte{'.'}, 6); len(parts) == 5 { // an address with a port, as tcpdump writes it
			s = bytes.Join(parts[:4], []byte{'.'})
		}
		if a, err := netip.ParseAddr(string(s)); len(s) >= 7 && err == nil {
			return a, from, to
		}
	}
}

func nextIP6(b []byte, at int) (a netip.Addr, from, to int) {
	for {
		i := bytes.IndexByte(b[at:], ':')
		if i < 0 {
			return a, 0, 0
		}
		i += at
		if i+1 == len(b) || b[i+1] != ':' && !hexDigit(b[i+1]) || i > at && b[i-1] > 'f' {
			at = i + 1
			continue
		}
		from, to = i, i
		for from > at && hexDigit(b[from-1]) {
			from--
		}
		for to < len(b) && (hexDigit(b[to]) || b[to] == ':') {
			to++
		}
		at = to
		s := b[from:to]
		if len(s) < 4 || len(s) > 39 || bytes.Count(s, []byte{':'}) < 2 {
			continue
		}
		if bytes.Count(s, []byte{':'}) < 7 && !bytes.Contains(s, []byte("::")) {
			continue
		}
		if a, err := netip.ParseAddr(string(s)); err == nil {
			return a, from, to
		}
	}
}

func hexDigit(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
