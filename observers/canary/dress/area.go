package dress

import (
	"encoding/binary"
	"unicode/utf8"
)

const (
	whole = 64 << 10 // bytes; a shorter piece is one area
	block = 4 << 10  // bytes that are judged at once
)

// area is a stretch of a piece that holds text outside ASCII.
type area struct{ from, to int }

// areas returns where b holds UTF-8 text outside ASCII, cut into stretches that
// overlap by a block.
func areas(b []byte) []area {
	first := beyondASCII(b)
	if first == len(b) {
		return nil
	}
	if len(b) > whole {
		return stretches(b, first, block)
	}
	if spelt, broken := judge(b, len(b)); spelt > broken {
		return []area{{0, len(b)}}
	}
	return stretches(b, first, block/16)
}

// stretches judges block after block.
func stretches(b []byte, first, block int) (found []area) {
	for at := first &^ (block - 1); at < len(b); at += block {
		end := min(at+block, len(b))
		if spelt, broken := judge(b[at:end], 64); spelt == 0 || broken > spelt/2+1 {
			continue
		}
		found = join(found, max(at-block, 0), min(end+block, len(b)))
	}
	return found
}

func join(found []area, from, to int) []area {
	if n := len(found); n > 0 && from <= found[n-1].to && to-found[n-1].from <= windowed {
		found[n-1].to = to
		return found
	}
	return append(found, area{from, to})
}

// beyondASCII returns the index of the first byte with the high bit, or len(b).
func beyondASCII(b []byte) int {
	const high = 0x8080808080808080
	i := 0
	for ; i+32 <= len(b); i += 32 {
		w := b[i : i+32 : i+32]
		if (binary.LittleEndian.Uint64(w)|binary.LittleEndian.Uint64(w[8:])|
			binary.LittleEndian.Uint64(w[16:])|binary.LittleEndian.Uint64(w[24:]))&high != 0 {
			break
		}
	}
	for ; i < len(b) && b[i] < utf8.RuneSelf; i++ {
	}
	return i
}

// judge counts characters beyond ASCII and bytes that spell none, among the
// first limit of both.
func judge(b []byte, limit int) (spelt, broken int) {
	for i := beyondASCII(b); i < len(b) && spelt+broken < limit; i += beyondASCII(b[i:]) {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			broken++
		} else {
			spelt++
		}
		i += n
	}
	return spelt, broken
}

// textual reports whether b reads as text, by its first bytes.
func textual(b []byte) bool {
	head := b[:min(len(b), block)]
	odd := 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != 0x1b && r != '\f' {
			odd++
		}
		i += n
	}
	return odd <= len(head)/32
}
