package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/http2/hpack"
)

func requests(list []string, format string) []byte {
	var b bytes.Buffer
	for k, s := range list {
		fmt.Fprintf(&b, strings.ReplaceAll(format, "#", fmt.Sprint(k+1)), s)
	}
	return b.Bytes()
}

func TestMessagesOfHTTPShowWhatTheyCarry(t *testing.T) {
	p := plant(6)
	eight, four := parts(p.text, 8), parts(p.text, 4)
	var order, names, presence strings.Builder
	for _, bit := range p.bits() {
		a, b := "Accept: */*\r\n", "Connection: close\r\n"
		if bit {
			a, b = b, a
		}
		fmt.Fprintf(&order, "GET / HTTP/1.1\r\nHost: exfil.test\r\n%s%s\r\n", a, b)
		name := map[bool]string{false: "accept", true: "Accept"}[bit]
		fmt.Fprintf(&names, "GET / HTTP/1.1\r\n%s: */*\r\n\r\n", name)
		extra := map[bool]string{true: "DNT: 1\r\n"}[bit]
		fmt.Fprintf(&presence, "GET / HTTP/1.1\r\nHost: exfil.test\r\n%s\r\n", extra)
	}
	get := "GET / HTTP/1.1\r\nHost: exfil.test\r\n"
	expectAll(t, p, []hidden{
		{name: "chunked body", bytes: append([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), append(requests(eight, "4\r\n%s\r\n"), "0\r\n\r\n"...)...)},
		{name: "extensions of chunks", bytes: append([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), append(requests(eight, "5;x=%s\r\nhello\r\n"), "0\r\n\r\n"...)...)},
		{name: "bodies of several requests", bytes: requests(eight, "POST /u HTTP/1.1\r\nContent-Length: 4\r\n\r\n%s")},
		{name: "field over requests", bytes: requests(eight, get+"X-Trace: %s\r\nAccept: */*\r\n\r\n")},
		{name: "fields of one request", bytes: append([]byte(get), append(requests(four, "X-Part-#: %s\r\n"), "\r\n"...)...)},
		{name: "path over requests", bytes: requests(eight, "GET /img/%s/pixel.gif HTTP/1.1\r\nHost: a\r\n\r\n")},
		{name: "segments of one path", bytes: []byte("GET /" + strings.Join(eight, "/") + " HTTP/1.1\r\nHost: a\r\n\r\n")},
		{name: "values of one query", bytes: []byte("GET /?a=" + strings.Join(eight, "&b=") + " HTTP/1.1\r\nHost: a\r\n\r\n")},
		{name: "query over requests", bytes: requests(eight, "GET /?id=#&q=%s HTTP/1.1\r\nHost: a\r\n\r\n")},
		{name: "values of cookies", bytes: []byte(get + "Cookie: a=" + strings.Join(four, "; b=") + "\r\n\r\n")},
		{name: "hosts", bytes: requests(eight, "GET / HTTP/1.1\r\nHost: %s.exfil.test\r\n\r\n")},
		{name: "order of two fields", bytes: []byte(order.String())},
		{name: "case of a field's name", bytes: []byte(names.String())},
		{name: "presence of a field", bytes: []byte(presence.String())},
		{name: "log of a server", bytes: requests(eight, "10.0.0.# - - [30/Nov/2026:06:00:0#] \"GET /static/%s.png HTTP/1.1\" 200 12\n")},
		{name: "archive in JSON", bytes: []byte("{\"log\":{\"entries\":[" + string(requests(eight, `{"request":{"method":"GET","url":"https://cdn.exfil.test/b?n=#&d=%s"}},`)) + "{}]}}")},
		{name: "requests of SIP", bytes: requests(eight, "INVITE sip:a@b SIP/2.0\r\nCall-ID: %s\r\nContent-Length: 0\r\n\r\n")},
	})
}

func h2frame(kind, flags byte, stream uint32, pay []byte) []byte {
	b := []byte{0, byte(len(pay) >> 8), byte(len(pay)), kind, flags}
	return append(binary.BigEndian.AppendUint32(b, stream), pay...)
}

// huffmanBlock is a header block with each string in Huffman's code.
func huffmanBlock(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return b.Bytes()
}

func TestFramesShowWhatTheyCarry(t *testing.T) {
	p := plant(7)
	eight := parts(p.text, 8)
	var data, pings, padding, streams []byte
	for k, s := range eight {
		data = append(data, h2frame(0, 0, 1, []byte(s))...)
		padding = append(padding, h2frame(0, 8, 1, append([]byte{4, 'x'}, s...))...)
		streams = append(streams, h2frame(1, 5, uint32(2*k+1), []byte{0x82})...)
	}
	for _, s := range parts(p.text, 4) {
		pings = append(pings, h2frame(6, 0, 0, []byte(s))...)
	}
	var over bytes.Buffer
	e := hpack.NewEncoder(&over)
	start := []byte(preface)
	for k, s := range eight {
		over.Reset()
		e.WriteField(hpack.HeaderField{Name: ":method", Value: "GET"})
		e.WriteField(hpack.HeaderField{Name: "x-trace", Value: s})
		start = append(start, h2frame(1, 5, uint32(2*k+1), over.Bytes())...)
	}
	block := huffmanBlock(":method", "GET", ":path", "/", "authorization", p.text)
	split := append(h2frame(1, 1, 1, block[:9]), h2frame(9, 4, 1, block[9:])...)
	literal := hpack.AppendHuffmanString(nil, p.text)
	section := append([]byte{0, 0, 0xc1, 0x51, 0x80 | byte(len(literal))}, literal...)
	expectAll(t, p, []hidden{
		{name: "data of a stream", bytes: data},
		{name: "padding", bytes: padding},
		{name: "payloads of PING", bytes: pings},
		{name: "fields in Huffman's code", bytes: h2frame(1, 5, 1, block)},
		{name: "fields in two frames", bytes: split},
		{name: "field over streams, from a table that grows", bytes: start},
		{name: "block alone", bytes: block},
		{name: "string alone", bytes: literal},
		{name: "section of HTTP/3", bytes: append([]byte{1, byte(len(section))}, section...)},
	})
}
