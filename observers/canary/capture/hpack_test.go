package capture

import (
	"bytes"
	"testing"

	"golang.org/x/net/http2/hpack"
)

func block(fields ...hpack.HeaderField) []byte {
	var out bytes.Buffer
	e := hpack.NewEncoder(&out)
	for _, f := range fields {
		e.WriteField(f)
	}
	return out.Bytes()
}

// FuzzBlocks asks that whatever is a block of fields fits.
func FuzzBlocks(f *testing.F) {
	f.Add(block(hpack.HeaderField{Name: ":method", Value: "GET"}, hpack.HeaderField{Name: "x-key", Value: "some value"}))
	f.Add(block(hpack.HeaderField{Name: "x-key", Value: "a"}, hpack.HeaderField{Name: "x-key", Value: "a"}, hpack.HeaderField{Name: "x-key", Value: "b", Sensitive: true}))
	f.Add([]byte{0x3f, 0xe1, 0x1f, 0x82})
	f.Fuzz(func(t *testing.T, b []byte) {
		fields := 0
		d := hpack.NewDecoder(4096, func(hpack.HeaderField) { fields++ })
		if _, err := d.Write(b); err != nil || d.Close() != nil || fields == 0 {
			return
		}
		if !blockFits(b) {
			t.Errorf("%d fields, and it does not fit", fields)
		}
	})
}

func TestABlockThatGoesOnBeyondTheBytesDoesNotFit(t *testing.T) {
	b := block(hpack.HeaderField{Name: "x-key", Value: "some value that is long enough"})
	if !blockFits(b) || blockFits(b[:len(b)-1]) || blockFits(append(b, 0x80)) || blockFits([]byte{0xff, 0xff, 0xff}) {
		t.Error("not told apart")
	}
}
