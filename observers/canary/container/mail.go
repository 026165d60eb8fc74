package container

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime/quotedprintable"

	"postern/observers/canary/layer"
)

const (
	Mail   layer.Technique = "mail"
	Folded layer.Technique = "folded"
)

// openMail decodes every part after a header that names an encoding, and joins
// the bodies of all.
func openMail(w *work) {
	var all []byte
	for _, key := range []string{"-Encoding:", "-encoding:"} {
		for at := 0; !w.done; {
			n := bytes.Index(w.b[at:], []byte(key))
			if n < 0 {
				break
			}
			at += n + len(key)
			all = append(all, w.mailAt(at)...)
		}
	}
	w.view(Mail, 0, all)
}

// mailAt reads the part whose header names its encoding at a place.
func (w *work) mailAt(at int) []byte {
	line, _, _ := bytes.Cut(w.b[at:min(at+64, len(w.b))], []byte("\n"))
	head, body := blankLine(w.b[at:min(at+64<<10, len(w.b))])
	if head < 0 {
		return nil
	}
	from, end := at+body, len(w.b)
	if n := bytes.Index(w.b[from:], []byte("\n--")); n >= 0 {
		end = from + n
	}
	w.charge(end - at)
	return w.mailPart(from, w.b[from:end], bytes.ToLower(bytes.TrimSpace(line)))
}

// blankLine is where the empty line is that ends a header, and what follows it.
func blankLine(b []byte) (head, body int) {
	head, body = bytes.Index(b, []byte("\n\n")), 2
	if head >= 0 {
		b = b[:head+2]
	}
	if n := bytes.Index(b, []byte("\r\n\r\n")); n >= 0 && (head < 0 || n < head) {
		head, body = n, 4
	}
	if head < 0 {
		return -1, -1
	}
	return head, head + body
}

func (w *work) mailPart(off int, b, encoding []byte) (out []byte) {
	w.unpack(Mail, off, func(limit int) (_ []byte, cut bool) {
		var r io.Reader
		switch string(encoding) {
		case "base64":
			r = base64.NewDecoder(base64.StdEncoding, bytes.NewReader(b))
		case "quoted-printable":
			r = quotedprintable.NewReader(bytes.NewReader(b))
		case "7bit", "8bit", "binary":
			out = bytes.TrimSpace(b)
			fallthrough
		default:
			return nil, false
		}
		out, cut, _ = drain(nil, r, limit)
		return out, cut
	})
	return out
}

// openFolded joins lines that go on after white space, as in mail, vCard, iCal
// and LDIF: without the space.
func openFolded(w *work) {
	if !folded(w.b) || !mostlyText(w.b) {
		return
	}
	out := make([]byte, 0, len(w.b))
	for rest := w.b; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			out = append(out, rest...)
			break
		}
		line, more := rest[:n], bytes.TrimLeft(rest[n+1:], " \t")
		switch {
		case len(more) == len(rest)-n-1:
			line = rest[:n+1]
		case n > 0 && line[n-1] == '\r': // as it is written, with one space
			line, more = line[:n-1], rest[n+2:]
		}
		out, rest = append(out, line...), more
	}
	w.charge(len(w.b))
	w.view(Folded, 0, out)
}
