package record_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

func overNumbers() []hidden {
	var floats []byte
	at, ms := 0, 1000
	var bitLines, caseText, single string
	steps := "1000 packet\n"
	for _, c := range raw() {
		floats = binary.LittleEndian.AppendUint64(floats, math.Float64bits(float64(c)))
		single += string(binary.BigEndian.AppendUint32(nil, math.Float32bits(float32(c))))
		ms += int(c)
		steps += fmt.Sprintf("%d packet\n", ms)
		for k := 7; k >= 0; k-- {
			word := filler[at%len(filler)]
			if at++; c>>k&1 != 0 {
				bitLines += "GET /" + word + "\n"
			} else {
				bitLines += "POST /" + word + "\n"
			}
		}
	}
	for i, c := range raw() {
		for k := 7; k >= 0; k-- {
			caseText += string("abcdefghijklmnopqrstuvwxyz"[(i*8+k)%26] &^ (c >> k & 1 << 5))
		}
	}
	bytesOf := each(raw(), func(_ int, c byte) string { return fmt.Sprint(c) })
	return []hidden{
		{"ports", lines(raw(), func(i int, c byte) string { return fmt.Sprintf("open 10.0.0.7:%d ok", 40960+int(c)) })},
		{"sizes of a listing", lines(raw(), func(i int, c byte) string {
			return fmt.Sprintf("-rw-r--r-- 1 root root %5d Nov 30 06:%02d f%d.bin", 4096+int(c), i, i)
		})},
		{"bytes in a field", lines(bytesOf, func(i int, v string) string { return fmt.Sprintf("level=%d temp=%s", i, v) })},
		{"words of sixteen bits", lines(chunks(string(raw()), 2), func(i int, v string) string { return fmt.Sprintf("sample %d", int(v[0])<<8|int(v[1])) })},
		{"steps of a clock", steps},
		{"scaled", lines(raw(), func(i int, c byte) string { return fmt.Sprintf("took %d us", int(c)*250) })},
		{"lengths of lines", lines(raw(), func(_ int, c byte) string { return strings.Repeat("x", int(c)) + "." })},
		{"verbs as bits", bitLines},
		{"case as bits", caseText},
		{"floats", string(floats)},
		{"floats amid noise", string(noise(101)) + single + string(noise(90))},
		{"low digit", lines([]byte(token), func(i int, c byte) string {
			return fmt.Sprintf("n=%d", 160+bytes.IndexByte([]byte("0123456789abcdef"), c))
		})},
		{"shares", "a: " + share(0x5a) + "\nb: " + share(0) + "\n"},
	}
}

// share is random bytes, or what makes the token of them.
func share(with byte) string {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(r.Uint32())
		if with == 0 {
			b[i] ^= raw()[i]
		}
	}
	return hex.EncodeToString(b)
}
