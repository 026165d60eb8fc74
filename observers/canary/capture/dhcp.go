package capture

import "bytes"

const dhcpMagic = "\x63\x82\x53\x63"

// openDHCP reads the options of messages (RFC 2131, 2132): of one code joined,
// as long ones are split (RFC 3396), and all.
func openDHCP(b []byte, e *emitter) {
	options := newFlows[int]()
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte(dhcpMagic))
		if i < 0 {
			break
		}
		at += i + len(dhcpMagic)
		if start := at - 240; start >= 0 && (b[start] == 1 || b[start] == 2) {
			options.add(256, b[start+28:start+44]) // hardware address
			options.add(257, b[start+4:start+8])   // transaction
			options.add(258, bytes.TrimRight(b[start+44:start+236], "\x00"))
		}
		at += readOptions(b[at:], options)
	}
	for _, l := range options.lists() {
		e.units(l)
	}
}

func readOptions(b []byte, to *flows[int]) int {
	at := 0
	for at < len(b) && b[at] != 255 {
		if b[at] == 0 {
			at++
			continue
		}
		if at+1 >= len(b) {
			break
		}
		end := min(len(b), at+2+int(b[at+1]))
		to.add(int(b[at]), b[at+2:end])
		to.add(259, b[at+2:end])
		to.add(260, b[at:at+1])
		at = end
	}
	return at
}
