package corpus

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

func written[W io.WriteCloser](b []byte, open func(io.Writer) W) []byte {
	var out bytes.Buffer
	w := open(&out)
	must1(w.Write(b))
	must(w.Close())
	return out.Bytes()
}

func gz(b []byte) []byte {
	return written(b, func(w io.Writer) *gzip.Writer { return gzip.NewWriter(w) })
}

func gzAt(b []byte, level int) []byte {
	return written(b, func(w io.Writer) *gzip.Writer { return must1(gzip.NewWriterLevel(w, level)) })
}

func zl(b []byte) []byte {
	return written(b, func(w io.Writer) *zlib.Writer { return zlib.NewWriter(w) })
}

func deflated(b []byte) []byte {
	return written(b, func(w io.Writer) *flate.Writer { return must1(flate.NewWriter(w, 9)) })
}

func zst(b []byte) []byte {
	return written(b, func(w io.Writer) *zstd.Encoder {
		return must1(zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<15), zstd.WithLowerEncoderMem(true)))
	})
}

func xzed(b []byte) []byte {
	return written(b, func(w io.Writer) *xz.Writer { return must1(xz.WriterConfig{DictCap: 1 << 16}.NewWriter(w)) })
}

func lzmad(b []byte) []byte {
	return written(b, func(w io.Writer) *lzma.Writer { return must1(lzma.WriterConfig{DictCap: 1 << 16}.NewWriter(w)) })
}

func lz4d(b []byte) []byte {
	return written(b, func(w io.Writer) *lz4.Writer { return lz4.NewWriter(w) })
}

func brotlied(b []byte) []byte {
	return written(b, func(w io.Writer) *brotli.Writer { return brotli.NewWriter(w) })
}

func lzwd(order lzw.Order) func([]byte) []byte {
	return func(b []byte) []byte {
		return written(b, func(w io.Writer) io.WriteCloser { return lzw.NewWriter(w, order, 8) })
	}
}

// story is prose with the canary in it: what gets compressed.
func (s *scene) story() []byte {
	return []byte(s.prose(4+s.IntN(20)) + " " + s.hex + " " + s.prose(4+s.IntN(20)))
}

func squeezed(name string, tier int, f func([]byte) []byte) trick {
	return file(name, tier, "bin", func(s *scene) []byte { return f(s.story()) })
}

func compressions() []trick {
	return []trick{
		squeezed("gzip", 1, gz),
		squeezed("zlib", 1, zl),
		squeezed("zstd", 1, zst),
		squeezed("xz", 1, xzed),
		squeezed("bzip2", 1, bzip2),
		squeezed("lz4", 1, lz4d),
		squeezed("deflate", 2, deflated),
		squeezed("brotli", 2, brotlied),
		squeezed("lzma", 2, lzmad),
		squeezed("xz-twice", 2, func(b []byte) []byte { return xzed(xzed(b)) }),
		squeezed("snappy-framed", 2, func(b []byte) []byte {
			return written(b, func(w io.Writer) *snappy.Writer { return snappy.NewBufferedWriter(w) })
		}),
		squeezed("snappy-block", 2, func(b []byte) []byte { return snappy.Encode(nil, b) }),
		squeezed("s2", 2, func(b []byte) []byte { return written(b, func(w io.Writer) *s2.Writer { return s2.NewWriter(w) }) }),
		squeezed("lz4-block-sized", 2, lz4Block),
		squeezed("lzw-high-first", 3, lzwd(lzw.MSB)),
		squeezed("lzw-low-first", 3, lzwd(lzw.LSB)),
		squeezed("compress-z", 2, compressZ),
		squeezed("pack-bits", 2, packBits),
		squeezed("gzip-stored", 1, func(b []byte) []byte { return gzAt(b, 0) }),
		squeezed("gzip-huffman", 1, func(b []byte) []byte { return gzAt(b, flate.HuffmanOnly) }),
		squeezed("zlib-stored", 1, func(b []byte) []byte {
			return written(b, func(w io.Writer) *zlib.Writer { return must1(zlib.NewWriterLevel(w, 0)) })
		}),
		squeezed("gzip-twice", 2, func(b []byte) []byte { return gz(gz(b)) }),
		squeezed("gzip-five-times", 2, func(b []byte) []byte { return gz(gz(gz(gz(gz(b))))) }),
		squeezed("gzip-of-zstd", 2, func(b []byte) []byte { return gz(zst(b)) }),
		squeezed("zstd-of-xz", 2, func(b []byte) []byte { return zst(xzed(b)) }),
		squeezed("bzip2-of-gzip", 2, func(b []byte) []byte { return bzip2(gz(b)) }),
		squeezed("lz4-of-zlib", 2, func(b []byte) []byte { return lz4d(zl(b)) }),
		blob("gzip-inside", 2, func(s *scene) []byte { return gz(s.story()) }),
		blob("zlib-inside", 2, func(s *scene) []byte { return zl(s.story()) }),
		blob("zstd-inside", 2, func(s *scene) []byte { return zst(s.story()) }),
		blob("xz-inside", 2, func(s *scene) []byte { return xzed(s.story()) }),
		blob("bzip2-inside", 2, func(s *scene) []byte { return bzip2(s.story()) }),
		blob("lz4-inside", 2, func(s *scene) []byte { return lz4d(s.story()) }),
		blob("deflate-inside", 4, func(s *scene) []byte { return deflated(s.story()) }),
		file("gzip-tail", 2, "gz", func(s *scene) []byte { return append(gz([]byte(s.prose(9))), gz(s.story())...) }),
		file("gzip-after-end", 2, "gz", func(s *scene) []byte { return append(gz([]byte(s.prose(9))), s.hex...) }),
		file("gzip-member-each", 3, "gz", func(s *scene) []byte {
			var out []byte
			for _, c := range chunks(s.hex, 4) {
				out = append(out, gz([]byte(c))...)
			}
			return out
		}),
		file("gzip-name", 2, "gz", func(s *scene) []byte {
			return headed(s, func(h *gzip.Header) { h.Name = s.hex + ".txt" })
		}),
		file("gzip-comment", 2, "gz", func(s *scene) []byte { return headed(s, func(h *gzip.Header) { h.Comment = s.hex }) }),
		file("gzip-extra", 2, "gz", func(s *scene) []byte {
			return headed(s, func(h *gzip.Header) { h.Extra = append([]byte{'K', 'V', 16, 0}, s.raw...) })
		}),
		squeezed("gzip-cut", 2, func(b []byte) []byte { out := gz(b); return out[:len(out)-9] }),
		squeezed("gzip-wrong-sum", 2, func(b []byte) []byte { out := gz(b); out[len(out)-6] ^= 1; return out }),
		squeezed("gzip-no-magic", 3, func(b []byte) []byte { return gz(b)[10:] }),
		squeezed("zlib-no-header", 3, func(b []byte) []byte { return zl(b)[2:] }),
		file("zlib-flushed", 2, "bin", func(s *scene) []byte {
			var out bytes.Buffer
			w := zlib.NewWriter(&out)
			for _, c := range chunks(string(s.story()), 40) {
				must1(io.WriteString(w, c))
				must(w.Flush())
			}
			return out.Bytes()
		}),
		file("zstd-skippable", 2, "zst", func(s *scene) []byte {
			skip := binary.LittleEndian.AppendUint32([]byte{0x50, 0x2a, 0x4d, 0x18}, 32)
			return append(append(skip, s.hex...), zst([]byte(s.prose(5)))...)
		}),
		file("gzip-of-raw", 1, "gz", func(s *scene) []byte { return gz(s.amidBinary(s.raw)) }),
		file("zstd-of-raw", 1, "zst", func(s *scene) []byte { return zst(s.amidBinary(s.raw)) }),
		file("gzip-of-base64", 2, "gz", func(s *scene) []byte { return gz([]byte(s.prose(3) + " " + b64([]byte(s.hex)) + s.prose(2))) }),
		file("gzip-of-hex-raw", 2, "gz", func(s *scene) []byte { return gz([]byte(s.prose(3) + each("%02x", " ")(s.raw) + s.prose(2))) }),
		file("gzip-reversed", 4, "bin", func(s *scene) []byte { return reversedBytes(gz(s.story())) }),
		file("gzip-xored", 4, "bin", func(s *scene) []byte { return altered(gz(s.story()), func(_ int, c byte) byte { return c ^ 0x99 }) }),
		blob("deflate-short-inside", 3, func(s *scene) []byte { return deflated([]byte("id=" + s.hex + ";")) }),
		blob("bzip2-xored-four", 4, func(s *scene) []byte {
			return altered(bzip2(s.story()), func(i int, c byte) byte { return c ^ "\x5a\x13\xc7\x88"[i%4] })
		}),
		blob("gzip-added", 4, func(s *scene) []byte { return altered(gz(s.story()), func(_ int, c byte) byte { return c + 77 }) }),
		blob("gzip-half-bytes", 4, func(s *scene) []byte { return altered(gz(s.story()), func(_ int, c byte) byte { return c<<4 | c>>4 }) }),
		file("gzip-of-half", 1, "gz", func(s *scene) []byte { return gz([]byte(s.prose(3) + " " + s.hex[:16] + " " + s.prose(2))) }).as(Partial),
		file("zstd-of-half", 1, "zst", func(s *scene) []byte { return zst([]byte(s.prose(3) + " " + s.hex[12:] + " " + s.prose(2))) }).as(Partial),
	}
}

func headed(s *scene, set func(*gzip.Header)) []byte {
	return written([]byte(s.prose(5)), func(w io.Writer) *gzip.Writer {
		z := gzip.NewWriter(w)
		set(&z.Header)
		return z
	})
}

func lz4Block(b []byte) []byte {
	out := make([]byte, lz4.CompressBlockBound(len(b)))
	n := must1(lz4.CompressBlock(b, out, nil))
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), out[:n]...)
}

// packBits writes only literal runs and repeats, as in a TIFF.
func packBits(b []byte) []byte {
	var out []byte
	for len(b) > 0 {
		n := min(len(b), 100)
		out, b = append(append(out, byte(n-1)), b[:n]...), b[n:]
	}
	return append(out, 0x81, 0)
}

// compressZ is the format of compress(1), with codes that grow to at most ten bits.
func compressZ(b []byte) []byte {
	out, table := []byte{0x1f, 0x9d, 0x80 | 16}, map[string]int{}
	for i := range 256 {
		table[string([]byte{byte(i)})] = i
	}
	var codes []int
	prefix := ""
	next := 257
	for _, c := range b {
		if longer := prefix + string([]byte{c}); table[longer] > 0 || len(longer) == 1 {
			prefix = longer
			continue
		}
		codes = append(codes, table[prefix])
		table[prefix+string([]byte{c})] = next
		next++
		prefix = string([]byte{c})
	}
	return append(out, packCodes(append(codes, table[prefix]))...)
}

// packCodes widens the codes as the table of the reader fills, and pads to eight codes then.
func packCodes(codes []int) []byte {
	var all []byte
	width, next, since := 9, 257, 0
	for i, code := range codes {
		for b := range width {
			all = append(all, byte(code>>b&1))
		}
		since++
		if i > 0 {
			next++
		}
		if next == 1<<width {
			for ; since%8 != 0; since++ {
				all = append(all, make([]byte, width)...)
			}
			width, since = width+1, 0
		}
	}
	out := make([]byte, (len(all)+7)/8)
	for i, bit := range all {
		out[i/8] |= bit << (i % 8)
	}
	return out
}

func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }
