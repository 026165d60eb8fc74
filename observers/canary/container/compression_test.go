package container

import (
	"bytes"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"io"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"postern/observers/canary/layer"
)

// written is what a writer makes of b.
func written[W io.WriteCloser](t *testing.T, b []byte, open func(io.Writer) (W, error)) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := open(&buf)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func nofail[W any](open func(io.Writer) W) func(io.Writer) (W, error) {
	return func(w io.Writer) (W, error) { return open(w), nil }
}

type sample struct {
	technique layer.Technique
	b         []byte
	bare      bool // has no magic: found at the beginning only
}

func compressions(t *testing.T, text []byte) []sample {
	lzip := written(t, text, func(w io.Writer) (*lzma.Writer, error) {
		return lzma.WriterConfig{EOSMarker: true}.NewWriter(w)
	})
	return []sample{
		{Gzip, written(t, text, nofail(gzip.NewWriter)), false},
		{Zlib, written(t, text, nofail(zlib.NewWriter)), false},
		{Deflate, written(t, text, func(w io.Writer) (*flate.Writer, error) { return flate.NewWriter(w, 9) }), true},
		{Zstd, written(t, text, func(w io.Writer) (*zstd.Encoder, error) { return zstd.NewWriter(w) }), false},
		{Xz, written(t, text, func(w io.Writer) (*xz.Writer, error) { return xz.NewWriter(w) }), false},
		{Lzma, written(t, text, func(w io.Writer) (*lzma.Writer, error) { return lzma.NewWriter(w) }), false},
		{Lzip, append([]byte("LZIP\x01\x17"), lzip[13:]...), false},
		{Lz4, written(t, text, nofail(lz4.NewWriter)), false},
		{Snappy, written(t, text, func(w io.Writer) (*s2.Writer, error) { return s2.NewWriter(w, s2.WriterSnappyCompat()), nil }), false},
		{Snappy, s2.EncodeSnappy(nil, text), true},
		{Brotli, written(t, text, nofail(brotli.NewWriter)), true},
		{Compress, fixture(t, "words.Z"), false},
		{LZW, written(t, text, nofail(func(w io.Writer) io.WriteCloser { return lzw.NewWriter(w, lzw.MSB, 8) })), true},
		{LZW, written(t, text, nofail(func(w io.Writer) io.WriteCloser { return lzw.NewWriter(w, lzw.LSB, 8) })), true},
		{Lzma, written(t, text, func(w io.Writer) (*lzma.Writer, error) {
			return lzma.WriterConfig{Properties: &lzma.Properties{LC: 1, LP: 1, PB: 0}, DictCap: 1 << 16}.NewWriter(w)
		}), true},
		{Bzip2, fixture(t, "words.bz2"), false},
		{Xz, fixture(t, "words.delta.xz"), false},
		{Xz, fixture(t, "words.x86.xz"), false},
	}
}

func TestEveryCompressionIsOpenedAtAnyOffset(t *testing.T) {
	for _, c := range compressions(t, words(200)) {
		if bytes.Contains(c.b, []byte(needle)) {
			t.Errorf("%s: nothing to open", c.technique)
		}
		wantShown(t, c.b, c.technique, needle)
		if !c.bare {
			wantShown(t, around(c.b), c.technique, needle)
			wantShown(t, append(c.b, c.b...), c.technique, needle)
		}
	}
}

func TestAWindowWiderThanTheContentIsNoHindrance(t *testing.T) {
	var buf bytes.Buffer
	w, err := zstd.NewWriter(&buf)
	for _, step := range []func() error{
		func() error { return err },
		func() error { _, err := w.Write(words(200)); return err },
		func() error { return w.Flush() }, // the size is not known from here on
		func() error { return w.Close() },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	b := buf.Bytes()
	if b[4]&0x20 != 0 {
		t.Fatal("no window in the header")
	}
	for _, width := range []byte{1 << 3, 17 << 3, 21 << 3} {
		b[5] = width // of 2^(10+width/8) bytes
		wantShown(t, append(b, b...), Zstd, needle)
	}
}

func TestAShortStreamIsOpenedOnALineOfItsOwn(t *testing.T) {
	short := written(t, []byte(`{"k":"`+needle+`"}`), func(w io.Writer) (*flate.Writer, error) { return flate.NewWriter(w, 9) })
	wantShown(t, append([]byte("{\"zip\":\"DEF\"} of some more bytes\n"), short...), Deflate, needle)
}

func TestATruncatedCompressionGivesWhatItHas(t *testing.T) {
	for _, c := range compressions(t, append(words(200), words(9000)...)) {
		switch {
		case len(c.b) < 3000 || c.technique == Snappy && c.bare || c.technique == Zstd: // one block
		default:
			wantShown(t, c.b[:len(c.b)*2/3], c.technique, needle[:20])
		}
	}
}

func TestABrokenChecksumKeepsNothingBack(t *testing.T) {
	for _, c := range compressions(t, words(200)) {
		if c.bare || c.technique == Snappy || c.technique == Compress || c.technique == Lzma || c.technique == Bzip2 {
			continue
		}
		b := bytes.Clone(c.b)
		for i := len(b) - 4; i < len(b); i++ {
			b[i] ^= 0x5a
		}
		wantShown(t, b, c.technique, needle)
	}
}

func TestABzip2BlockWithoutItsHeadIsOpened(t *testing.T) {
	wantShown(t, fixture(t, "words.bz2")[4:], Bzip2, needle)
}

func TestRawDeflateIsOpenedAfterAnUnknownHead(t *testing.T) {
	for _, c := range compressions(t, words(200)) {
		if c.technique == Deflate {
			wantShown(t, around(c.b), Deflate, needle)
		}
	}
}

func TestManyBombsLeaveRoomForWhatFollows(t *testing.T) {
	var b []byte
	bomb := written(t, make([]byte, 1<<20), nofail(gzip.NewWriter))
	for range 30 {
		b = append(append(b, bomb...), "between"...)
	}
	b = append(b, written(t, words(100), nofail(gzip.NewWriter))...)
	var held int
	var found bool
	room := layer.NewRoom(40 << 20)
	Stages()[0].Open(b, room, func(v layer.View) bool {
		held += len(v.Bytes)
		found = found || bytes.Contains(v.Bytes, []byte(needle))
		return true
	})
	if !found || held > 40<<20 {
		t.Errorf("found %t, %d bytes", found, held)
	}
}

func TestARoomThatIsTooSmallIsSpent(t *testing.T) {
	b := written(t, make([]byte, 1<<20), nofail(gzip.NewWriter))
	room := layer.NewRoom(1000)
	n := 0
	Stages()[0].Open(b, room, func(v layer.View) bool { n += len(v.Bytes); return true })
	if n != 1000 || !room.Spent() {
		t.Errorf("%d bytes, spent %t", n, room.Spent())
	}
}

func TestALongStreamAloneHasAllTheRoom(t *testing.T) {
	b := written(t, append(make([]byte, 6<<20), needle...), nofail(gzip.NewWriter))
	room, found := layer.NewRoom(10<<20), false
	Stages()[0].Open(b, room, func(v layer.View) bool {
		found = found || bytes.Contains(v.Bytes, []byte(needle))
		return true
	})
	if !found || room.Spent() {
		t.Errorf("found %t, spent %t", found, room.Spent())
	}
}

func TestTooManyAttemptsAreGivenUpAndSaid(t *testing.T) {
	b := bytes.Repeat([]byte("BZh91AY&SY\x00\x00"), 2000)
	if _, spent := views(b, 1<<20); !spent {
		t.Error("not spent")
	}
}
