package container

import (
	"bytes"
	"compress/bzip2"
	"io"
	"strings"

	"postern/observers/canary/layer"
)

const Bzip2 layer.Technique = "bzip2"

func compressionKinds() []kind {
	return append(zlibKinds(),
		kind{magic: "\x1f\x8b", opaque: true, open: openGzip},
		kind{magic: "\x1f\x9d", open: openCompress},
		kind{magic: "\x28\xb5\x2f\xfd", opaque: true, open: openZstd},
		kind{magic: "\xfd7zXZ\x00", open: openXz},
		kind{magic: "LZIP", open: openLzip},
		kind{magic: "\x5d\x00\x00", open: openLzma},
		kind{magic: "\x6d\x00\x00", open: openLzma},
		kind{magic: "BZh", open: openBzip2},
		kind{magic: "\x31\x41\x59\x26\x53\x59", open: openBzip2Block},
		kind{magic: "\x04\x22\x4d\x18", open: openLz4},
		kind{magic: "\x02\x21\x4c\x18", open: openLz4Legacy},
		kind{magic: "\xff\x06\x00\x00sNaPpY", open: openSnappy},
		kind{magic: "\xff\x06\x00\x00S2sTwO", open: openSnappy},
	)
}

// openBzip2 leaves the members that follow to the library.
func openBzip2(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 10 || b[3] < '1' || b[3] > '9' || string(b[4:6]) != "1A" && string(b[4:6]) != "\x17\x72" {
		return i
	}
	return i + w.bunzip(i, "", b)
}

// openBzip2Block reads a block whose file has lost its head.
func openBzip2Block(w *work, i int) int {
	if i >= 4 && string(w.b[i-4:i-1]) == "BZh" {
		return i
	}
	return i + w.bunzip(i, "BZh9", w.b[i:])
}

// bunzip reads b after a head of its own, and says how many bytes it took.
func (w *work) bunzip(off int, head string, b []byte) (used int) {
	const tables = 1 << 18 // what the library asks for, in bytes of reading
	w.unpack(Bzip2, off, func(limit int) ([]byte, bool) {
		if !w.charge(tables) {
			return nil, false
		}
		src := bytes.NewReader(b)
		var r io.Reader = src
		if head != "" {
			r = io.MultiReader(strings.NewReader(head), src)
		}
		out, cut, _ := drain(nil, bzip2.NewReader(r), limit)
		w.charge(len(b) - src.Len())
		if used = 1; len(out) > 0 { // the library reads ahead
			used = len(b) - src.Len()
		}
		return out, cut
	})
	return used
}
