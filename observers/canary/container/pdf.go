package container

import (
	"bytes"
	"encoding/ascii85"

	"golang.org/x/image/tiff/lzw"

	"postern/observers/canary/layer"
)

const Pdf layer.Technique = "pdf"

// pdfDict is how far before a stream its dictionary may begin.
const pdfDict = 4 << 10

// openPdfStream applies the filters that the dictionary before the keyword
// names, and shows the texts of what comes out.
func openPdfStream(w *work, i int) int {
	if i >= 3 && string(w.b[i-3:i]) == "end" {
		return i
	}
	from := i + len("stream")
	for from < len(w.b) && from < i+8 && (w.b[from] == '\r' || w.b[from] == '\n') {
		from++
	}
	if from == i+len("stream") {
		return i // a word in a text, as most are
	}
	dict := w.b[max(0, i-pdfDict):i]
	if n := bytes.LastIndex(dict, []byte("obj")); n >= 0 {
		dict = dict[n:]
	}
	if !bytes.Contains(dict, []byte("<<")) {
		return i
	}
	b := w.b[from:]
	n := bytes.Index(b, []byte("endstream"))
	if n < 0 {
		n = len(b)
	}
	w.charge(n)
	filters := pdfFilters(dict)
	if len(filters) == 0 {
		return from + n
	}
	var content []byte
	w.unpack(Pdf, from, func(limit int) (out []byte, cut bool) {
		out = b[:n]
		for _, f := range filters {
			out, cut = w.pdfFilter(f, out, limit)
		}
		content = out
		return out, cut
	})
	if width := pdfNumber(dict, "/Columns"); width > 0 && pdfNumber(dict, "/Predictor") >= 10 {
		rows, _ := unfilter(content, width, 1)
		w.view(Pdf, from, rows)
	}
	w.pdfTexts(from, content)
	return from + n
}

// openPdf shows the texts of the objects outside of streams.
func openPdf(w *work, i int) int {
	b := w.b[i:]
	if bytes.Contains(b, []byte("/Encrypt ")) {
		w.room.Spend()
	}
	w.charge(len(b))
	var plain []byte
	for len(b) > 0 {
		n := bytes.Index(b, []byte("stream"))
		if n < 0 {
			n = len(b)
		}
		plain = append(plain, b[:n]...)
		b = b[n:]
		if n = bytes.Index(b, []byte("endstream")); n < 0 {
			break
		}
		b = b[n+len("endstream"):]
	}
	w.pdfTexts(i, plain)
	return len(w.b)
}

// pdfNames are the filters' names, long and short.
var pdfNames = []struct{ name, short string }{
	{"/FlateDecode", "/Fl"}, {"/LZWDecode", "/LZW"}, {"/ASCIIHexDecode", "/AHx"},
	{"/ASCII85Decode", "/A85"}, {"/RunLengthDecode", "/RL"}, {"/Crypt", "/Crypt"},
}

// pdfFilters are the short names of the filters in a dictionary, in order.
func pdfFilters(dict []byte) (filters []string) {
	n := bytes.LastIndex(dict, []byte("/Filter"))
	skip := len("/Filter")
	if n < 0 {
		if n, skip = bytes.LastIndex(dict, []byte("/F ")), 2; n < 0 {
			return nil
		}
	}
	b := bytes.TrimLeft(dict[n+skip:], " \r\n\t")
	if end := bytes.IndexByte(b, ']'); len(b) > 0 && b[0] == '[' && end > 0 {
		b = bytes.TrimLeft(b[1:end], " \r\n\t")
	} else if end := bytes.IndexAny(b[min(1, len(b)):], "/ \r\n\t>"); end >= 0 {
		b = b[:end+1]
	}
	for _, name := range bytes.FieldsFunc(b, func(r rune) bool { return r <= ' ' || r == '/' }) {
		for _, f := range pdfNames {
			if string(name) == f.name[1:] || string(name) == f.short[1:] {
				filters = append(filters, f.short)
			}
		}
	}
	return filters
}

// pdfNumber is the number after a key, or 0.
func pdfNumber(dict []byte, key string) int {
	_, after, ok := bytes.Cut(dict, []byte(key))
	after = bytes.TrimLeft(after, " ")
	if !ok {
		return 0
	}
	return int(number(after[:digits(after[:min(len(after), 9)])], 10))
}

func (w *work) pdfFilter(f string, b []byte, limit int) (out []byte, cut bool) {
	w.charge(len(b))
	switch f {
	case "/Fl":
		got := inflated{}
		if len(b) > 2 {
			got = w.inflate(b[2:], nil, limit)
		}
		return got.out, got.cut
	case "/LZW":
		out, cut, _ = drain(nil, lzw.NewReader(bytes.NewReader(b), lzw.MSB, 8), limit)
	case "/AHx":
		out = unhex(b)
	case "/A85":
		out = unascii85(b)
	case "/RL":
		out, cut = packBits(b, limit)
	default:
		w.room.Spend()
	}
	return out, cut
}

// unhex reads digits and passes over all else, up to the end mark.
func unhex(b []byte) (out []byte) {
	high := -1
	for _, c := range b {
		v := hexDigit(c)
		switch {
		case c == '>':
			return out
		case v < 0:
		case high < 0:
			high = v
		default:
			out = append(out, byte(high<<4|v))
			high = -1
		}
	}
	return out
}

func hexDigit(c byte) int {
	switch {
	case c-'0' < 10:
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func unascii85(b []byte) []byte {
	b = bytes.TrimPrefix(bytes.TrimLeft(b, " \r\n"), []byte("<~"))
	b, _, _ = bytes.Cut(b, []byte("~"))
	out := make([]byte, 4*len(b)+4)
	n, _, _ := ascii85.Decode(out, b, true)
	return out[:n]
}
