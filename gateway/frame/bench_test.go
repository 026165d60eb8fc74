package frame_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"postern/gateway/frame"
)

func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct{ name, arguments string }{
		{"small", `{"text":"0123456789abcdef0123456789abcdef"}`},
		{"escaped", `{"text":"0123456789abcdef\n\u00e9\ud83d\ude00","n":12,"nested":{"a":[1,2,3],"b":true}}`},
		{"64KiB", `{"text":"` + strings.Repeat("a", 65_000) + `"}`},
		{"many-keys", manyKeys(4000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			line := []byte(with(c.arguments))
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := frame.Decode(line, frame.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReader(b *testing.B) {
	line := with(`{"text":"0123456789abcdef0123456789abcdef"}`) + "\n"
	r := frame.NewReader(&repeating{text: line}, frame.Limits{})
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

// repeating gives one text for ever, a read at a time.
type repeating struct{ text string }

func (r *repeating) Read(p []byte) (int, error) {
	if len(p) < len(r.text) {
		return 0, io.ErrShortBuffer
	}
	return copy(p, r.text), nil
}

func manyKeys(n int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"key%d":%d`, i, i)
	}
	b.WriteByte('}')
	return b.String()
}
