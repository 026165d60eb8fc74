package capture

import (
	"bytes"
	"fmt"
	"testing"

	"postern/observers/canary/layer"
)

func TestEncodedBodiesAreYieldedAsOnePiece(t *testing.T) {
	body := []byte("\x8b\x10\x80 of some encoding that has no marks")
	chunked := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, c := range [][]byte{body[:9], body[9:17], body[17:]} {
		chunked += fmt.Sprintf("%x\r\n%s\r\n", len(c), c)
	}
	head := "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n"
	for name, b := range map[string][]byte{
		"in chunks":                     []byte(chunked + "0\r\n\r\n"),
		"of a length":                   fmt.Appendf(nil, "%sContent-Length: %d\r\n\r\n%sGET / HTTP/1.1\r\n\r\n", head, len(body), body),
		"to the end":                    append([]byte(head+"\r\n"), body...),
		"to what follows on the line":   []byte(head + "\r\n" + string(body) + "\nGET / HTTP/1.1\r\n\r\n"),
		"behind one that has no length": append([]byte("GET / HTTP/1.1\r\n\r\n"+head+"\r\n"), body...),
	} {
		var got [][]byte
		stage("http-body", openBodies).Open(b, layer.NewRoom(1<<16), func(v layer.View) bool {
			got = append(got, v.Bytes)
			return true
		})
		if len(got) != 1 || !bytes.Equal(bytes.TrimSuffix(got[0], []byte("\n")), body) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
