package container

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"testing"

	"postern/observers/canary/layer"
)

func pdf(filters string, content []byte) []byte {
	return fmt.Appendf(nil, "%%PDF-1.4\n1 0 obj\n<< /Length %d /Filter %s >>\nstream\n%s\nendstream\nendobj\n%%%%EOF", len(content), filters, content)
}

func TestTextInAPdfIsJoinedBehindAnyFilters(t *testing.T) {
	var text bytes.Buffer
	text.WriteString("BT /F1 12 Tf [")
	for i, p := range parts() {
		if i%2 == 0 {
			fmt.Fprintf(&text, "(%s) -20 ", p)
		} else {
			fmt.Fprintf(&text, "<%x> 3 ", p)
		}
	}
	text.WriteString("] TJ ET")
	flat := written(t, text.Bytes(), nofail(zlib.NewWriter))
	a85 := make([]byte, ascii85.MaxEncodedLen(len(flat)))
	a85 = append(a85[:ascii85.Encode(a85, flat)], "~>"...)
	for filters, content := range map[string][]byte{
		"/FlateDecode":                   flat,
		"[/ASCII85Decode /FlateDecode]":  a85,
		"[ /ASCIIHexDecode/FlateDecode]": []byte(hex.EncodeToString(flat) + ">"),
	} {
		wantShown(t, around(pdf(filters, content)), Pdf, needle)
	}
	wantShown(t, []byte("%PDF-1.4\n1 0 obj << /Title (needle-0123\\0645678\\\n9abcdef and) >>"), Pdf, "needle-0123456789abcdef and")
}

func TestTextBetweenTagsIsJoined(t *testing.T) {
	runs, attributes := "<w:p>", "<list>"
	for _, p := range parts() {
		runs += "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">" + p + "</w:t></w:r>"
		attributes += "<i id='1' v=\"" + p + "\"/>"
	}
	wantShown(t, []byte(runs+"</w:p>"), Markup, needle[:22])
	wantShown(t, []byte(attributes+"</list>"), Markup, needle)
	wantShown(t, []byte("<p>needle-01<!-- x -->234<b>56</b>789abcdef</p>"), Markup, needle[:23])
}

// Of a large text that has tags somewhere, only what is near them is a document.
func TestTextFarFromTagsIsNoDocument(t *testing.T) {
	far := bytes.Repeat([]byte("this line is of no document\n"), 1<<15)
	document := []byte("<p>needle-01<!-- x -->234<b>56</b>789abcdef</p>")
	in := bytes.Join([][]byte{document, document, document}, far)
	room := layer.NewRoom(1 << 18)
	for _, s := range Stages() {
		if s.Technique != Document {
			continue
		}
		shown := 0
		s.Open(in, room, func(v layer.View) bool {
			shown += bytes.Count(v.Bytes, []byte(needle[:23]))
			return true
		})
		if shown < 3 || room.Spent() {
			t.Errorf("shown %d times; room was spent: %v", shown, room.Spent())
		}
	}
}

func TestRtfAndMailAndFoldedLinesAreUndone(t *testing.T) {
	rtf := "{\\rtf1\\ansi {\\b need}le-\\'30\\'31\\u50?3456789{\\i a}bcdef}"
	wantShown(t, []byte(rtf), Rtf, needle[:23])
	mail := "From: a\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nneedle-01=\n234567=38=39abcdef\n"
	wantShown(t, []byte(mail), Mail, needle[:23])
	wantShown(t, []byte("NOTE:needle-01\r\n 2345678\r\n 9abcdef\r\n"), Folded, needle[:23])
}
