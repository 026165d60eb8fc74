package capture

import "bytes"

// openChat joins what follows the commands of protocols of lines (FTP, IRC,
// SMTP, NATS), command by command, and the last words of a line, which IRC puts
// behind a colon.
func openChat(b []byte, e *emitter) {
	words := newFlows[string]()
	count := 0
	for line := range bytes.Lines(b[:min(len(b), bytesMost)]) {
		line = bytes.TrimRight(line, "\r\n")
		if bytes.HasPrefix(line, []byte(":")) {
			_, line, _ = bytes.Cut(line, []byte{' '})
		}
		verb, rest, _ := bytes.Cut(line, []byte{' '})
		if !command(verb) {
			if count == 0 && len(line) > 0 && (len(line) < 4 || line[0] < '1' || line[0] > '5') {
				return
			}
			continue
		}
		count++
		words.add(string(verb), rest)
		if _, last, ok := bytes.Cut(rest, []byte(" :")); ok {
			words.add(string(verb)+" :", last)
		}
	}
	if count < 2 {
		return
	}
	for _, l := range words.lists() {
		e.join(l, "")
		e.texts(l)
		e.units(l)
	}
}

func command(s []byte) bool {
	if len(s) < 3 || len(s) > 10 {
		return false
	}
	for _, c := range s {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}
