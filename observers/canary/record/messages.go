package record

import (
	"bytes"
	"encoding/binary"
)

// chunked joins the chunks of a body (RFC 9112, 7.1).
func chunked(b []byte) *flows { return firstBody(b, chunkedBody) }

func chunkedBody(b []byte) *flows {
	f := newFlows()
	for i := 0; ; {
		end := bytes.IndexByte(b[i:min(len(b), i+256)], '\n')
		if end < 0 {
			return orNone(f, i > 4)
		}
		size := bytes.TrimSpace(b[i : i+end])
		if k := bytes.IndexByte(size, ';'); k >= 0 {
			size = bytes.TrimSpace(size[:k])
		}
		n, ok := hexadecimal(size)
		i += end + 1
		if !ok || len(size) > 8 || n == 0 {
			return orNone(f, ok && n == 0)
		}
		stop := min(len(b), i+int(n))
		f.add(0, i, b[i:stop])
		if i = stop; i == len(b) {
			return f
		}
		for i < len(b) && (b[i] == '\r' || b[i] == '\n') && i < stop+2 {
			i++
		}
	}
}

// webSocket joins the payloads of frames, unmasked (RFC 6455, 5.2).
func webSocket(b []byte) *flows { return firstBody(b, webSocketBody) }

func webSocketBody(b []byte) *flows {
	if len(b) < 8 || bytes.Equal(b[:8], make([]byte, 8)) {
		return nil
	}
	f := newFlows()
	count := 0
	for i := 0; i < len(b); count++ {
		head, n, ok := webSocketHead(b[i:])
		if !ok || n > len(b)-i-head {
			return orNone(f, count > 2)
		}
		s := bytes.Clone(b[i+head : i+head+n])
		masked := b[i+1]&0x80 != 0
		if masked {
			for k := range s {
				s[k] ^= b[i+head-4+k%4]
			}
		}
		f.add(uint64(b[i+1]>>7), i+head, s)
		i += head + n
	}
	return orNone(f, count > 0)
}

// webSocketHead is the length of the head and of the payload.
func webSocketHead(b []byte) (head, n int, ok bool) {
	if len(b) < 2 || b[0]&0x30 != 0 || b[0]&15 > 2 && b[0]&15 < 8 || b[0]&15 > 10 {
		return 0, 0, false
	}
	head, n = 2, int(b[1]&0x7f)
	switch {
	case n == 126 && len(b) >= 4:
		head, n = 4, int(binary.BigEndian.Uint16(b[2:]))
	case n == 127 && len(b) >= 10 && b[2]|b[3]|b[4]|b[5] == 0:
		head, n = 10, int(binary.BigEndian.Uint32(b[6:]))
	case n > 125:
		return 0, 0, false
	}
	if b[1]&0x80 != 0 {
		head += 4
	}
	return head, n, head <= len(b)
}

// http2Data joins DATA frames, stream by stream (RFC 9113, 4.1 and 6.1).
func http2Data(b []byte) *flows {
	const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	i := 0
	if bytes.HasPrefix(b, []byte(preface)) {
		i = len(preface)
	}
	f := newFlows()
	count := 0
	for ; len(b)-i >= 9; count++ {
		n := int(b[i])<<16 | int(b[i+1])<<8 | int(b[i+2])
		if b[i+3] > 9 || b[i+5]&0x80 != 0 || n > len(b)-i-9 {
			break
		}
		s := b[i+9 : i+9+n]
		if b[i+3] == 0 {
			if b[i+4]&8 != 0 && n > 0 && int(s[0]) < n {
				s = s[1 : n-int(s[0])]
			}
			f.add(uint64(binary.BigEndian.Uint32(b[i+5:])), i+9, s)
		}
		i += 9 + n
	}
	return orNone(f, count > 1 && i > len(b)/2)
}

// multipart joins the bodies of parts (RFC 2046, 5.1).
func multipart(b []byte) *flows {
	i := bytes.Index(b[:min(len(b), large/16)], []byte("--"))
	for ; i > 0 && b[i-1] != '\n'; i = nextAt(b, i+2, "\n--") {
	}
	if i < 0 {
		return nil
	}
	end := bytes.IndexByte(b[i:min(len(b), i+80)], '\n')
	if end < 5 {
		return nil
	}
	boundary := bytes.TrimRight(b[i:i+end], "\r\n")
	f := newFlows()
	parts := bytes.Split(b[i:], boundary)
	for _, p := range parts[1:] {
		if k := bytes.Index(p, []byte("\n\r\n")); k >= 0 {
			p = p[k+3:]
		} else if k := bytes.Index(p, []byte("\n\n")); k >= 0 {
			p = p[k+2:]
		}
		f.add(0, i, bytes.TrimRight(p, "\r\n-"))
	}
	return orNone(f, len(parts) > 2)
}

// nextAt is after the new line of the next sign within a bound, or -1.
func nextAt(b []byte, i int, sign string) int {
	if i >= len(b) {
		return -1
	}
	n := bytes.Index(b[i:min(len(b), i+large/16)], []byte(sign))
	if n < 0 {
		return -1
	}
	return i + n + 1
}

// countedText joins netstrings and octet-counted syslog: a decimal length,
// one sign, and that many bytes (RFC 6587, 3.4.1); also as lines.
func countedText(b []byte) *flows {
	f := newFlows()
	count := 0
	for i := 0; i < len(b); count++ {
		k := i
		for k < len(b) && k < i+9 && '0' <= b[k] && b[k] <= '9' {
			k++
		}
		n, ok := decimal(b[i:k])
		if !ok || k == len(b) || b[k] != ':' && b[k] != ' ' && b[k] != '\n' || int(n) > len(b)-k-1 {
			return orNone(f, count > 1 && i > len(b)/2)
		}
		f.add(0, k+1, b[k+1:k+1+int(n)])
		f.add(1, k+1, b[k+1:k+1+int(n)])
		f.add(1, k+1, []byte{'\n'})
		i = k + 1 + int(n)
		for i < len(b) && (b[i] == ',' || b[i] == '\n' || b[i] == '\r') {
			i++
		}
	}
	return orNone(f, count > 1)
}
