package layertest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// Hostile are small pieces that a careless decoder makes much of, or reads far
// beyond: seeds for a fuzzer, and inputs of the ordinary suite.
func Hostile() map[string][]byte {
	nothing := make([]byte, 1<<20)
	all := map[string][]byte{
		"a bomb of gzip":   gzipped(nothing),
		"a bomb of zlib":   zlibbed(nothing),
		"a bomb of zip":    zipped(map[string][]byte{"a": nothing}),
		"a bomb in a bomb": gzipped(bytes.Repeat(gzipped(nothing), 20)),
		"gzip upon gzip":   upon(20, gzipped),
		"zip upon zip":     upon(20, func(b []byte) []byte { return zipped(map[string][]byte{"a": b}) }),
		"base64 upon gzip": upon(10, func(b []byte) []byte { return []byte(base64.StdEncoding.EncodeToString(gzipped(b))) }),
		"300 of gzip":      many(300, func(i int) []byte { return gzipped(fmt.Appendf(nil, "a decoy of number %d", i)) }),
		"300 of base64": many(300, func(i int) []byte {
			return fmt.Appendf(nil, "%s ", base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "a decoy of number %d", i)))
		}),
		"a gzip of lying size": lying(gzipped([]byte("a text of some words")), -4),
		"a zip of lying sizes": lying(zipped(map[string][]byte{"a": []byte("a text of some words")}), 18, 22, -22+12, -22+16),
		"a zip upon itself":    overlapping(50),
		"no end":               gzipped(bytes.Repeat([]byte("some words "), 50))[:40],
	}
	for name, head := range heads() {
		all["a length beyond, "+name] = append(head, []byte("and a text of some words")...)
	}
	return all
}

// heads say that more follows than there is.
func heads() map[string][]byte {
	return map[string][]byte{
		"picture":    []byte("\x89PNG\r\n\x1a\n\x7f\xff\xff\xffIDAT"),
		"bitmap":     []byte("BM\xff\xff\xff\x7f\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\xff\xff\xff\x7f\xff\xff\xff\x7f\x01\x00\x20\x00"),
		"sound":      []byte("RIFF\xff\xff\xff\x7fWAVEdata\xff\xff\xff\x7f"),
		"archive":    append(append([]byte("a"), make([]byte, 99+24)...), []byte("77777777777\x00")...),
		"packets":    []byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\x7f\xff\xff\xff\x7f"),
		"section":    []byte("\x0a\x0d\x0d\x0a\xfc\xff\xff\x7f\x4d\x3c\x2b\x1a\x01\x00\x00\x00"),
		"chunk":      []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n"),
		"body":       []byte("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n"),
		"frame":      []byte("\x30\xff\xff\xff\x7f\x00\x02ab"),
		"message":    []byte("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
		"sequence":   []byte("\x30\x84\x7f\xff\xff\xff\x04\x84\x7f\xff\xff\xff"),
		"map":        []byte("\xdf\xff\xff\xff\xff\xdb\xff\xff\xff\xff"),
		"document":   []byte("\xff\xff\xff\x7f\x02a\x00\xff\xff\xff\x7f"),
		"window":     []byte("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f"),
		"dictionary": []byte("\x5d\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
		"netstring":  []byte("999999999999999999:"),
		"repeat":     []byte("[999999999]{999999999}\x1b[999999999C\x1b[999999999b"),
	}
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zlibbed(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zipped(files map[string][]byte) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, b := range files {
		if f, err := w.Create(name); err == nil {
			f.Write(b)
		}
	}
	w.Close()
	return out.Bytes()
}

func upon(n int, f func([]byte) []byte) []byte {
	b := []byte("a text of some words")
	for range n {
		b = f(b)
	}
	return b
}

func many(n int, one func(i int) []byte) (all []byte) {
	for i := range n {
		all = append(all, one(i)...)
	}
	return all
}

// lying puts a large number at some places, from the end where they are less
// than 0.
func lying(b []byte, places ...int) []byte {
	for _, at := range places {
		if at < 0 {
			at += len(b)
		}
		binary.LittleEndian.PutUint32(b[at:], 1<<31-1)
	}
	return b
}

// overlapping is an archive whose entries, n of them, are all the same bytes: a
// bomb without a layer upon another.
func overlapping(n int) []byte {
	whole := zipped(map[string][]byte{"a": make([]byte, 1<<20)})
	at := bytes.Index(whole, []byte("PK\x01\x02"))
	end := bytes.Index(whole, []byte("PK\x05\x06"))
	entry, tail := whole[at:end], bytes.Clone(whole[end:])
	binary.LittleEndian.PutUint16(tail[8:], uint16(n))
	binary.LittleEndian.PutUint16(tail[10:], uint16(n))
	binary.LittleEndian.PutUint32(tail[12:], uint32(n*len(entry)))
	return append(append(bytes.Clone(whole[:at]), bytes.Repeat(entry, n)...), tail...)
}
