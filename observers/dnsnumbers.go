package observers

import (
	"strconv"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// numbers are the fields of the messages of one sender, in their order.
type numbers struct {
	id, flags, counts, kind, class, address latest
}

// read takes the numbers of one message, of as much of it as there is.
func (n *numbers) read(w *canary.Watch, m []byte) map[channel.ID]int {
	if len(m) < headerSize {
		return nil
	}
	seen := together(
		n.id.push(w, m[0:2]...), n.flags.push(w, m[2:4]...), n.counts.push(w, m[4:headerSize]...),
	)
	names, end, ok := firstName(m)
	if !ok {
		return seen
	}
	if len(m) >= end+4 {
		seen = together(seen, n.kind.push(w, m[end:end+2]...), n.class.push(w, m[end+2:end+4]...))
	}
	for _, name := range names {
		if b, ok := name.addressV4(); ok {
			seen = together(seen, n.address.push(w, b...))
		}
	}
	return seen
}

// addressV4 returns the address of IPv4 whose name it is (RFC 1035, 3.5).
func (n dnsName) addressV4() ([]byte, bool) {
	if !n.below("in-addr", "arpa") || len(n) != 6 {
		return nil, false
	}
	var out [4]byte
	for i, l := range n[:4] {
		b, err := strconv.ParseUint(string(l), 10, 8)
		if err != nil {
			return nil, false
		}
		out[3-i] = byte(b)
	}
	return out[:], true
}
