package container

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"postern/observers/canary/layer"
)

// endSample is a whole file, and from where on a cut leaves enough to tell what
// it was.
type endSample struct {
	name      string
	technique layer.Technique
	b         []byte
	head      int
	checked   bool // every byte behind the head counts in a checksum
}

func endSamples(t *testing.T) []endSample {
	text := make([]byte, 3000)
	source := rand.New(rand.NewPCG(9, 9))
	for i := range text {
		text[i] = "etaoin shrdlu\n"[source.IntN(14)]
	}
	gz := written(t, text, nofail(gzip.NewWriter))
	named := func(w io.Writer) (*gzip.Writer, error) {
		g := gzip.NewWriter(w)
		g.Name = "words.txt"
		return g, nil
	}
	pressed := written(t, text, func(w io.Writer) (*xz.Writer, error) { return xz.NewWriter(w) })
	frame := written(t, text, func(w io.Writer) (*zstd.Encoder, error) { return zstd.NewWriter(w) })
	bz := fixture(t, "words.bz2")
	return []endSample{
		{"gzip", Gzip, gz, 4, true},
		{"gzip with a name", Gzip, written(t, text, named), 4, true},
		{"gzip of two members", Gzip, slices.Concat(gz, gz), len(gz) + 4, false},
		{"bzip2", Bzip2, bz, 10, true},
		{"bzip2 of two members", Bzip2, slices.Concat(bz, bz), len(bz) + 10, false},
		{"xz", Xz, pressed, 12, true},
		{"xz of two streams", Xz, slices.Concat(pressed, make([]byte, 8), pressed), len(pressed) + 8 + 12, false},
		{"xz with a delta filter", Xz, fixture(t, "words.delta.xz"), 12, false},
		{"xz with a filter for machine code", Xz, fixture(t, "words.x86.xz"), 12, false},
		{"zstd", Zstd, frame, 8, true},
		{"zstd of two frames", Zstd, slices.Concat(frame, frame), len(frame) + 8, false},
		{"zip", Zip, zippedAs(t, zip.Deflate, text), 40, false},
		{"stored zip", Zip, zippedAs(t, zip.Store, text), 40, false},
		{"zip with bzip2", Zip, fixture(t, "bzip2.zip"), 40, false},
		{"tar", Tar, tarredTwice(t, text), 512, false},
	}
}

func zippedAs(t *testing.T, method uint16, text []byte) []byte {
	return written(t, nil, func(w io.Writer) (io.WriteCloser, error) {
		z := zip.NewWriter(w)
		for _, name := range []string{"a.txt", "b.txt"} {
			f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
			if err != nil {
				return nil, err
			}
			if _, err := f.Write(text); err != nil {
				return nil, err
			}
		}
		return nothingMore{z}, nil
	})
}

func tarredTwice(t *testing.T, text []byte) []byte {
	return written(t, nil, func(w io.Writer) (io.WriteCloser, error) {
		archive := tar.NewWriter(w)
		for _, name := range []string{"a.txt", "b.txt"} {
			if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Format: tar.FormatGNU}); err != nil {
				return nil, err
			}
			if _, err := archive.Write(text); err != nil {
				return nil, err
			}
		}
		return nothingMore{archive}, nil
	})
}

// nothingMore is an archive that has all that it is to hold.
type nothingMore struct{ io.Closer }

func (nothingMore) Write(b []byte) (int, error) { return len(b), nil }

func torn(b []byte) layer.Technique { return Torn(context.Background(), b, true, 1<<20) }

func TestAWholeFileIsNotTornWhateverFollowsIt(t *testing.T) {
	noise := make([]byte, 100_000)
	rand.NewChaCha8([32]byte{3}).Read(noise)
	for _, s := range endSamples(t) {
		for after, more := range map[string][]byte{
			"nothing": nil, "a line end": []byte("\n"), "two bytes": []byte("ab"), "a zero": {0}, "zeros": make([]byte, 10_240), "noise": noise,
		} {
			if got := torn(slices.Concat(s.b, more)); got != "" {
				t.Errorf("%s, then %s: %q", s.name, after, got)
			}
		}
	}
}

func TestWhereverAFileIsCutItIsTorn(t *testing.T) {
	for _, s := range endSamples(t) {
		whole := len(s.b)
		if s.technique == Tar {
			whole -= 512 // of the two blocks at the end one is enough
		}
		if s.technique == Zip {
			whole = bytes.LastIndex(s.b, []byte("PK\x05\x06")) + 22
		}
		for n := s.head; n < whole; n++ {
			if n > s.head+20 && n < whole-40 {
				n += 30
			}
			if got := torn(s.b[:n]); got != s.technique {
				t.Errorf("%s, %d of %d bytes: %q", s.name, n, len(s.b), got)
				break
			}
		}
	}
}

func TestAWrongByteIsTold(t *testing.T) {
	for _, s := range endSamples(t) {
		if !s.checked {
			continue
		}
		for at := len(s.b) / 4; at < len(s.b)-4; at += len(s.b) / 30 {
			b := bytes.Clone(s.b)
			b[at] ^= 0x10
			if got := torn(b); got != s.technique {
				t.Errorf("%s, byte %d of %d: %q", s.name, at, len(s.b), got)
			}
		}
	}
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		b := zippedAs(t, method, []byte("twelve bytes"))
		b[37] ^= 1 // of the first file's content
		if torn(b) != Zip {
			t.Errorf("zip, method %d", method)
		}
	}
}

// An archive inside has a directory of its own, which is not that of what was cut.
func TestTheDirectoryOfAnArchiveInsideIsNoEnd(t *testing.T) {
	outer := zippedAs(t, zip.Store, zippedAs(t, zip.Store, []byte("twelve bytes")))
	if got := torn(outer[:len(outer)-200]); got != Zip {
		t.Errorf("%q", got)
	}
}

func TestWhatIsNoneOfTheFormatsIsNotTorn(t *testing.T) {
	source := rand.NewChaCha8([32]byte{7})
	b := make([]byte, 4<<10)
	heads := []string{"", "", "PK", "BZh", "BZh9", "\x1f\x8b", "\xfd7zX", "\x28\xb5\x2f", "ustar"}
	for i := range 5000 {
		source.Read(b)
		copy(b, heads[i%len(heads)])
		if got := torn(b[:i%len(b)]); got != "" {
			t.Errorf("noise %d: %q", i, got)
		}
	}
	plain := append(bytes.Repeat([]byte{'x'}, 257), "ustar and so on, in a text"...)
	if got := torn(append(plain, bytes.Repeat([]byte("words "), 100)...)); got != "" {
		t.Errorf("a text: %q", got)
	}
}

// What is more than the search looks at, or takes too long, is the search's own to tell.
func TestNothingIsSaidOfWhatWasNotReadToItsEnd(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, s := range endSamples(t)[:3] {
		if got := Torn(t.Context(), s.b[:len(s.b)-1], true, 100); got != "" {
			t.Errorf("%s: %q", s.name, got)
		}
		if got := Torn(stopped, s.b[:len(s.b)-1], true, 1<<20); got != "" {
			t.Errorf("%s, when the time is over: %q", s.name, got)
		}
	}
	archive := tarredTwice(t, []byte("twelve bytes"))
	if got := Torn(t.Context(), archive[:1000], false, 1<<20); got != "" {
		t.Errorf("an archive that goes on: %q", got)
	}
}
