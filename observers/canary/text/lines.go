package text

import (
	"bytes"

	"postern/observers/canary/layer"
)

// lineCode is an encoding whose every line says for itself what it is. Decode
// appends the bytes of one line, and says whether it was one.
type lineCode struct {
	technique layer.Technique
	first     *set // what its lines begin with
	decode    func(dst, line []byte) ([]byte, bool)
}

var lineCodes = []lineCode{
	{"uuencode", setOf(ascii('!', 'a')), decodeUU},
	{"xxencode", setOf("+-" + digits + upper + lower), decodeXX},
	{"intel-hex", setOf(":"), decodeIntelHex},
	{"s-record", setOf("S"), decodeSRecord},
	{"tektronix-hex", setOf("/"), decodeTektronix},
	{"hex-dump", hexSymbols, decodeDump},
	{"hex-dump-words", hexSymbols, decodeDumpWords},
	{"char-dump", hexSymbols, decodeCharDump},
	{"octal-dump", hexSymbols, decodeOctalDump},
}

// longLine is more than any of these encodings writes.
const longLine = 600

// openLines joins the lines of one encoding that follow each other.
func openLines(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := &out{room: room, yield: yield}
	blocks := make([]block, len(lineCodes))
	for i := 0; i < len(b) && !o.ended; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			n = len(b) - i
		}
		line := b[i : i+n]
		if n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		if len(line) <= longLine && len(line) >= 5 {
			o.line(blocks, line, i)
		} else {
			o.endLines(blocks)
		}
		i += n + 1
	}
	o.endLines(blocks)
	o.yEnc(b)
	o.binHex(b)
	o.flush()
}

type block struct {
	at    int
	bytes []byte
}

func (o *out) line(blocks []block, line []byte, at int) {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '>' && len(line) > 1 && line[1] == ' ') {
		line = line[1:]
	}
	if len(line) == 0 {
		return
	}
	for k, c := range lineCodes {
		p := &blocks[k]
		if !c.first[line[0]] {
			o.endBlock(c.technique, p)
		} else if d, ok := c.decode(p.bytes, line); !ok {
			o.endBlock(c.technique, p)
		} else {
			if len(p.bytes) == 0 {
				p.at = at
			}
			p.bytes = d
		}
	}
}

func (o *out) endLines(blocks []block) {
	for k, c := range lineCodes {
		o.endBlock(c.technique, &blocks[k])
	}
}

func (o *out) endBlock(t layer.Technique, p *block) {
	if len(p.bytes) > 0 {
		o.offer(t, p.at, p.bytes)
		p.bytes = nil
	}
}

// decodeUU reads a line of uuencode: its length in the first symbol, then four
// symbols for three bytes.
func decodeUU(dst, line []byte) ([]byte, bool) {
	n := int(line[0]-' ') & 63
	need := (n + 2) / 3 * 4
	body := line[1:]
	// Trailing spaces, which are zeros, may be lost, and one symbol may be added.
	if line[0] < ' ' || line[0] > '`' || n == 0 || len(body) < need-3 || len(body) > need+1 {
		return dst, false
	}
	for _, c := range body {
		if c < ' ' || c > '`' {
			return dst, false
		}
	}
	return appendFours(dst, body, n, func(c byte) int { return int(c-' ') & 63 }), true
}

var xxAlphabet = orders[4].alphabet

func decodeXX(dst, line []byte) ([]byte, bool) {
	n := int(xxAlphabet[line[0]])
	if n < 1 || len(line)-1 != (n+2)/3*4 {
		return dst, false
	}
	for _, c := range line {
		if xxAlphabet[c] < 0 {
			return dst, false
		}
	}
	return appendFours(dst, line[1:], n, func(c byte) int { return int(xxAlphabet[c]) }), true
}

// appendFours appends the first n bytes that the symbols carry, six bits each.
func appendFours(dst, symbols []byte, n int, value func(byte) int) []byte {
	acc, bits := 0, 0
	for i := 0; n > 0 && i < len(symbols)+4; i++ {
		v := 0
		if i < len(symbols) {
			v = value(symbols[i])
		}
		if acc, bits = acc<<6&0xffff|v, bits+6; bits >= 8 {
			bits -= 8
			dst = append(dst, byte(acc>>bits))
			n--
		}
	}
	return dst
}

// hexLine decodes the digits of a record.
func hexLine(b []byte) ([]byte, bool) {
	for _, c := range b {
		if !isHex(c) {
			return nil, false
		}
	}
	return pack(nil, b, hexAlphabet, 4), len(b)%2 == 0
}

// decodeIntelHex reads a record: length, address, kind, data, sum.
func decodeIntelHex(dst, line []byte) ([]byte, bool) {
	if line[0] != ':' || len(line) < 11 {
		return dst, false
	}
	d, ok := hexLine(line[1:])
	if !ok || len(d) != int(d[0])+5 {
		return dst, false
	}
	if d[3] != 0 { // an address, or the end
		return dst, len(dst) > 0
	}
	return append(dst, d[4:len(d)-1]...), true
}

// decodeSRecord reads a record of Motorola: kind, length, address, data, sum.
func decodeSRecord(dst, line []byte) ([]byte, bool) {
	if line[0] != 'S' || len(line) < 10 || !isDigit(line[1]) {
		return dst, false
	}
	d, ok := hexLine(line[2:])
	if !ok || len(d) != int(d[0])+1 {
		return dst, false
	}
	address := 2
	switch line[1] {
	case '2', '8':
		address = 3
	case '3', '7':
		address = 4
	}
	if len(d) < 2+address {
		return dst, false
	}
	return append(dst, d[1+address:len(d)-1]...), true
}

// decodeTektronix reads a record of the original format: address, length, sum,
// data, sum.
func decodeTektronix(dst, line []byte) ([]byte, bool) {
	if line[0] != '/' || len(line) < 13 {
		return dst, false
	}
	d, ok := hexLine(line[1:])
	if !ok || len(d) != int(d[2])+5 {
		return dst, false
	}
	return append(dst, d[4:len(d)-1]...), true
}
