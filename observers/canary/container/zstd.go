package container

import (
	"bytes"
	"encoding/binary"

	"github.com/klauspost/compress/zstd"

	"postern/observers/canary/layer"
)

const Zstd layer.Technique = "zstd"

// zstdWindow bounds the memory that a header asks for: above it, only the
// extra levels of the command go.
const zstdWindow = 32 << 20

// openZstd joins the frames that follow one another, skippable ones between.
func openZstd(w *work, i int) int {
	end := zstdFrames(w.b, i)
	w.charge(1 << 16)
	w.unpack(Zstd, i, func(limit int) ([]byte, bool) {
		return w.unzstd(w.b[i:end], limit)
	})
	return end
}

// narrow asks for a smaller window where frames ask for a larger one than is
// allowed: of what is not that long, nothing is lost.
func narrow(b []byte) []byte {
	const allowed = 15 << 3 // of 2^(10+15) bytes
	cloned := false
	for at := 0; at+6 <= len(b); {
		if frame := b[at:]; binary.LittleEndian.Uint32(frame) == 0xfd2fb528 && frame[4]&0x20 == 0 && frame[5] > allowed {
			if !cloned {
				b, cloned = bytes.Clone(b), true
			}
			b[at+5] = allowed
		}
		n := zstdFrame(b[at:])
		if n == 0 {
			break
		}
		at += n
	}
	return b
}

// unzstd decodes whole frames.
func (w *work) unzstd(b []byte, limit int) ([]byte, bool) {
	b = narrow(b)
	d, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow),
		zstd.WithDecodeBuffersBelow(0), zstd.IgnoreChecksum(true))
	if err != nil {
		return nil, false
	}
	defer d.Close()
	out, cut, err := drain(nil, d, limit)
	if err == zstd.ErrWindowSizeExceeded || err == zstd.ErrUnknownDictionary {
		w.room.Spend()
	}
	w.charge(len(b))
	return out, cut
}

// zstdFrames is where the frames end that begin at i.
func zstdFrames(b []byte, i int) int {
	for {
		n := zstdFrame(b[i:])
		if n == 0 {
			return i
		}
		i += n
	}
}

// zstdFrame is the length of a frame, cut at the end of b (RFC 8878, 3.1).
func zstdFrame(b []byte) int {
	if len(b) < 8 {
		return 0
	}
	switch magic := binary.LittleEndian.Uint32(b); {
	case magic>>4 == 0x184d2a5:
		return min(len(b), 8+int(binary.LittleEndian.Uint32(b[4:])))
	case magic != 0xfd2fb528:
		return 0
	}
	at := zstdHeader(b[4])
	for at+3 <= len(b) {
		h := int(b[at]) | int(b[at+1])<<8 | int(b[at+2])<<16
		at += 3
		if h>>1&3 == 1 { // a run of one byte
			at++
		} else {
			at += h >> 3
		}
		if h&1 != 0 {
			return min(len(b), at+int(b[4]>>2&1)*4)
		}
	}
	return len(b)
}

// zstdHeader is where the blocks begin.
func zstdHeader(d byte) int {
	n := 5 + []int{0, 1, 2, 4}[d&3] + []int{0, 2, 4, 8}[d>>6]
	if single := d&0x20 != 0; !single {
		n++
	} else if d>>6 == 0 {
		n++
	}
	return n
}
