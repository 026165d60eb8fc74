package capture

import (
	"bytes"
	"strconv"
)

// exchange is one request or response of HTTP/1, or of what is written alike.
type exchange struct {
	start  []byte
	fields []field
	body   []byte
	chunks []chunk
}

type field struct{ name, value, gap []byte }

type chunk struct{ size, rest []byte }

// openHTTP reads messages one after the other, with anything between them.
func openHTTP(b []byte, e *emitter) {
	var list []exchange
	upgraded := false
	for at := 0; ; {
		i := nextStart(b, at)
		if i < 0 {
			break
		}
		x, n := readExchange(b[i:])
		list = append(list, x)
		at = i + n
		if !upgraded && upgrades(x) { // once: the rest is the same
			upgraded = true
			e.at(at).give(b[at:])
		}
	}
	if len(list) > 0 {
		e.at(0).exchanges(list)
	}
}

const startMost = 1 << 16 // bytes of a start line or a field

// nextStart finds a line that starts with a version, or ends with one.
func nextStart(b []byte, from int) int {
	for at := from; ; {
		i, sign := versionAt(b, at)
		if i < 0 {
			return -1
		}
		if begins := i == from || b[i-1] == '\n'; begins {
			return i
		}
		line := max(at, i-startMost)
		line += bytes.LastIndexByte(b[line:i], '\n') + 1
		if method(b[line:i]) {
			return line
		}
		at = i + sign
	}
}

// versionAt finds "HTTP/1." and, near the start, its like.
func versionAt(b []byte, at int) (i, n int) {
	i, n = bytes.Index(b[at:], []byte("HTTP/1.")), 7
	for _, like := range []string{"SIP/2.0", "RTSP/1."} {
		if k := bytes.Index(b[at:min(len(b), max(at, 1<<14))], []byte(like)); k >= 0 && (i < 0 || k < i) {
			i = k
		}
	}
	if i < 0 {
		return -1, 0
	}
	return at + i, n
}

// method says that a line begins with a word in capitals, and has a target.
func method(line []byte) bool {
	n := bytes.IndexByte(line, ' ')
	if n < 3 || n > 16 || line[len(line)-1] != ' ' {
		return false
	}
	for _, c := range line[:n] {
		if (c < 'A' || c > 'Z') && c != '-' {
			return false
		}
	}
	return true
}

func upgrades(x exchange) bool {
	for _, f := range x.fields {
		if bytes.EqualFold(f.name, []byte("Upgrade")) {
			return true
		}
	}
	return false
}

func cutLine(b []byte) (line, rest []byte) {
	n := bytes.IndexByte(b[:min(len(b), startMost)], '\n')
	if n < 0 {
		return b[:min(len(b), startMost)], b[min(len(b), startMost):]
	}
	return bytes.TrimSuffix(b[:n], []byte{'\r'}), b[n+1:]
}

// readExchange reads a head and what its fields say of the body. Without a
// length there is none, so that the next message is found.
func readExchange(b []byte) (x exchange, n int) {
	var line []byte
	var size int
	var isChunked bool
	x.start, line = cutLine(b)
	rest := line
	for len(rest) > 0 {
		line, rest = cutLine(rest)
		if len(line) == 0 {
			break
		}
		f, ok := readField(line)
		if !ok {
			break
		}
		x.fields = append(x.fields, f)
		switch string(bytes.ToLower(f.name)) {
		case "content-length":
			size, _ = strconv.Atoi(string(f.value))
		case "transfer-encoding":
			isChunked = bytes.Contains(bytes.ToLower(f.value), []byte("chunked"))
		}
	}
	if isChunked {
		x.body, x.chunks, rest = readChunks(rest)
	} else {
		size = min(max(size, 0), len(rest))
		x.body, rest = rest[:size], rest[size:]
	}
	return x, len(b) - len(rest)
}

func readField(line []byte) (field, bool) {
	n, value, ok := bytes.Cut(line, []byte{':'})
	if !ok || len(n) == 0 || len(n) > 256 {
		return field{}, false
	}
	trimmed := bytes.TrimLeft(value, " \t")
	return field{name: n, value: bytes.TrimRight(trimmed, " \t"), gap: value[:len(value)-len(trimmed)]}, true
}

// readChunks joins a chunked body (RFC 9112, 7.1), and keeps the sizes and the
// extensions.
func readChunks(b []byte) (body []byte, list []chunk, rest []byte) {
	for len(b) > 0 {
		line, after := cutLine(b)
		size, extension, _ := bytes.Cut(line, []byte{';'})
		n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 40)
		if err != nil {
			return body, list, b
		}
		list = append(list, chunk{bytes.TrimSpace(size), extension})
		b = after
		if n == 0 {
			return body, list, b
		}
		end := min(uint64(len(b)), n)
		body = append(body, b[:end]...)
		_, b = cutLine(b[end:])
	}
	return body, list, nil
}
