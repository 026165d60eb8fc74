package capture

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/net/http2/hpack"
)

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// h2 is what frames of one direction hold.
type h2 struct {
	data, blocks, odd *flows[uint32]
	numbers           *flows[uint32]
	fields            []hpack.HeaderField
	decoder           *hpack.Decoder
	block             []byte
}

// openHTTP2 reads frames (RFC 9113, 4.1), behind the preface or without it.
func openHTTP2(b []byte, e *emitter) {
	at := 0
	if bytes.HasPrefix(b, []byte(preface)) {
		at = len(preface)
	}
	if !framesFit(b[at:], at > 0) {
		return
	}
	h := &h2{data: newFlows[uint32](), blocks: newFlows[uint32](), odd: newFlows[uint32](), numbers: newFlows[uint32]()}
	h.decoder = hpack.NewDecoder(1<<16, func(f hpack.HeaderField) { h.fields = append(h.fields, f) })
	h.decoder.SetMaxStringLength(frameMost)
	for at+9 <= len(b) {
		n := int(b[at])<<16 | int(b[at+1])<<8 | int(b[at+2])
		end := min(len(b), at+9+n)
		h.frame(b[at+3], b[at+4], binary.BigEndian.Uint32(b[at+5:])&0x7fffffff, b[at+9:end], b[at:at+9])
		at = end
		if len(h.fields) > namesMost {
			e.room.Spend()
			break
		}
	}
	for _, f := range []*flows[uint32]{h.data, h.odd, h.numbers} {
		for _, l := range f.lists() {
			e.units(l)
		}
	}
	e.headerFields(h.fields)
}

// framesFit asks for frames of known types that lead to the end; behind a
// preface they may be cut off.
func framesFit(b []byte, preface bool) bool {
	n := 0
	for at := 0; at < len(b); n++ {
		if len(b)-at < 9 {
			return preface && n > 0
		}
		size := int(b[at])<<16 | int(b[at+1])<<8 | int(b[at+2])
		if !sized(b[at+3], size, binary.BigEndian.Uint32(b[at+5:])) {
			return preface && n > 0
		}
		if size > len(b)-at-9 {
			return preface
		}
		at += 9 + size
	}
	return n > 0
}

// sized says whether a type can have a payload of this size on this stream.
func sized(kind byte, size int, stream uint32) bool {
	switch kind {
	case 0, 1, 9:
		return stream != 0 && stream < 1<<31
	case 2:
		return size == 5
	case 3, 8:
		return size == 4
	case 4:
		return size%6 == 0 && stream == 0
	case 6:
		return size == 8
	}
	return kind <= 16 && stream < 1<<31
}

// frame sorts a payload by its type: data, headers, numbers, and others.
func (h *h2) frame(kind, flags byte, stream uint32, b, head []byte) {
	h.numbers.add(1<<16, head[5:9])
	h.numbers.add(1<<17, head[3:5])
	if (kind == 0 || kind == 1 || kind == 5) && flags&8 != 0 && len(b) > 0 {
		pad := min(int(b[0]), len(b)-1)
		h.odd.add(1<<16, b[len(b)-pad:])
		h.numbers.add(1<<18, b[:1])
		b = b[1 : len(b)-pad]
	}
	switch {
	case kind == 0:
		h.data.add(stream, b)
		h.data.add(1<<31, b)
		return
	case kind == 1 && flags&0x20 != 0 && len(b) >= 5:
		h.numbers.add(1<<19, b[:5])
		b = b[5:]
	case kind == 5 && len(b) >= 4:
		b = b[4:]
	case kind != 1 && kind != 9:
		h.odd.add(uint32(kind), b)
		return
	}
	if h.block = append(h.block, b...); flags&4 != 0 {
		h.decoder.Write(h.block)
		h.decoder.Close()
		h.block = nil
	}
}

// headerFields yields fields as a text, and as those of HTTP/1.
func (e *emitter) headerFields(list []hpack.HeaderField) {
	if len(list) == 0 {
		return
	}
	var text []byte
	var all []exchange
	var targets [][]byte
	for _, f := range list {
		text = append(append(append(append(text, f.Name...), ": "...), f.Value...), '\n')
		if len(all) == 0 || f.Name == ":method" || f.Name == ":status" {
			all = append(all, exchange{})
		}
		x := &all[len(all)-1]
		x.fields = append(x.fields, field{name: []byte(f.Name), value: []byte(f.Value)})
		if f.Name == ":path" {
			targets = append(targets, []byte(f.Value))
		}
	}
	e.give(text)
	e.targets(targets)
	e.exchanges(all)
}
