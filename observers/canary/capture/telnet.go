package capture

import "bytes"

// openTelnet removes commands (RFC 854), and yields the subnegotiations.
func openTelnet(b []byte, e *emitter) {
	if !speaksTelnet(b) {
		return
	}
	out := make([]byte, 0, len(b))
	var subs [][]byte
	for i := 0; i < len(b); i++ {
		if b[i] != 255 || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		switch c := b[i]; {
		case c == 255:
			out = append(out, c)
		case c == 250:
			end := bytes.Index(b[i:], []byte{255, 240})
			if end < 0 {
				end = len(b) - i
			}
			subs = append(subs, b[min(len(b), i+2):max(i+end, min(len(b), i+2))])
			i += end + 1
		case c > 250:
			i++
		}
	}
	e.give(out)
	e.units(subs)
}

// speaksTelnet asks for a command near the start.
func speaksTelnet(b []byte) bool {
	head := b[:min(len(b), 4096)]
	for at := 0; len(b) <= 16*bytesMost; {
		i := bytes.IndexByte(head[at:], 255)
		if i < 0 || at+i+2 >= len(head) {
			return false
		}
		at += i + 1
		if c, option := head[at], head[at+1]; c >= 250 && c <= 254 && option < 50 {
			return at < 16 || printable(head[:at-1])
		}
		if at > 16 {
			return false
		}
	}
	return false
}
