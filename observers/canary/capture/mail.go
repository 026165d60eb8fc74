package capture

import "bytes"

const mailLong = 64 << 10 // bytes of one message

// openMail takes the messages out of dialogues of SMTP and POP3: from DATA, or a
// positive answer, to a line with a dot alone; a dot that was put before a dot
// is taken away (RFC 5321, 4.5.2). What is long and has a byte of zero is no mail
// up to there.
func openMail(b []byte, e *emitter) {
	var all [][]byte
	for at := 0; ; {
		end := bytes.Index(b[at:], []byte("\n.\r\n"))
		if end < 0 {
			break
		}
		s := b[at : at+end+1]
		for _, start := range []string{"\r\nDATA\r\n", "\r\n354"} {
			if i := bytes.LastIndex(s, []byte(start)); i >= 0 {
				s = s[i+len(start):]
			}
		}
		if len(s) > mailLong {
			s = s[bytes.LastIndexByte(s, 0)+1:]
		}
		all = append(all, unstuffed(s))
		at += end + 4
	}
	if len(all) > 0 {
		for _, s := range all {
			e.give(s)
		}
		e.units(all)
	}
}

func unstuffed(b []byte) []byte {
	b = bytes.TrimPrefix(b, []byte("."))
	return bytes.ReplaceAll(b, []byte("\n."), []byte("\n"))
}
