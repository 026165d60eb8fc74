package container

import "bytes"

func documentKinds() []kind {
	return []kind{
		{magic: "%PDF-", open: openPdf},
		{magic: "stream", open: openPdfStream},
		{magic: "{\\rtf", open: openRtf},
		{magic: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", open: openOle},
	}
}

// openDocument takes apart what is text with marks in it.
func openDocument(w *work) {
	if len(w.b) < 8 {
		return
	}
	openMarkup(w)
	openMail(w)
	openFolded(w)
}

// mostlyText looks at a sample: a decoder of text has no business elsewhere.
func mostlyText(b []byte) bool {
	n, odd := 0, 0
	for i := 0; i < len(b); i += 1 + len(b)/256 {
		if c := b[i]; c < 9 || c > 13 && c < 32 || c == 127 {
			odd++
		}
		n++
	}
	return odd*20 <= n
}

// fold says whether b has a line that goes on in the next after white space.
func folded(b []byte) bool {
	return bytes.Contains(b, []byte("\n ")) || bytes.Contains(b, []byte("\n\t"))
}
