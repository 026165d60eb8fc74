package capture

import "bytes"

// openBodies yields what messages of HTTP/1 carry in chunks, or encoded: what
// stands in one piece and as it is was searched there.
func openBodies(b []byte, e *emitter) {
	for at := 0; ; {
		i := nextStart(b, at)
		if i < 0 {
			return
		}
		x, n := readExchange(b[i:])
		at = i + n
		switch {
		case len(x.chunks) > 0:
			e.at(i).give(x.body)
		case !x.encoded():
		case len(x.body) > 0:
			e.at(i).give(x.body)
		default: // up to the end of the connection
			end := len(b)
			if next := nextStart(b, at); next > 0 {
				end = next
			}
			e.at(i).give(b[at:end])
		}
	}
}

func (x exchange) encoded() bool {
	for _, f := range x.fields {
		if bytes.EqualFold(f.name, []byte("Content-Encoding")) {
			return true
		}
	}
	return false
}
