package container

import (
	"bytes"
	"io"
	"testing"

	"github.com/andybalholm/brotli"
)

// unbrotli is what the library makes of a stream, whatever its head looks like.
func unbrotli(b []byte) []byte {
	out, _, _ := drain(nil, brotli.NewReader(bytes.NewReader(b)), 1<<16)
	return out
}

func TestTheHeadOfWhatAnyoneWroteInBrotliIsPlausible(t *testing.T) {
	for _, text := range [][]byte{words(3), words(30), words(500), bytes.Repeat([]byte("ab"), 5000), noise(300, 1),
		append(noise(20000, 2), words(100)...), append(words(9), noise(64, 3)...)} {
		for quality := range 12 {
			b := written(t, text, nofail(func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, quality) }))
			if standing := bytes.Contains(b, text[:min(len(text), 64)]); !plausibleBrotli(b) && !standing {
				t.Errorf("quality %d of %d bytes: refused", quality, len(text))
			}
		}
	}
}

// What is no Brotli costs a decoder seldom.
func TestTheHeadOfWhatIsNotBrotliIsNot(t *testing.T) {
	for name, b := range map[string][]byte{"noise": noise(1<<14, 4), "text": words(3000)} {
		taken := 0
		for i := range len(b) - 256 {
			if plausibleBrotli(b[i : i+256]) {
				taken++
			}
		}
		if 20*taken > len(b) {
			t.Errorf("%s: %d of %d", name, taken, len(b))
		}
	}
}

// FuzzBrotliHead asks that the head is plausible of all that the library decodes
// to something that does not stand there as it is.
func FuzzBrotliHead(f *testing.F) {
	for quality := range 12 {
		var buf bytes.Buffer
		w := brotli.NewWriterLevel(&buf, quality)
		w.Write(append(words(40), noise(40, 5)...))
		w.Close()
		f.Add(buf.Bytes())
	}
	f.Add(noise(100, 6))
	f.Fuzz(func(t *testing.T, b []byte) {
		if out := unbrotli(b); len(out) >= 8 && !plausibleBrotli(b) && !bytes.Contains(b, out[:8]) {
			t.Errorf("%d bytes of output, and the head was refused", len(out))
		}
	})
}

func TestMarksAreKnownAtTheBeginningAlone(t *testing.T) {
	for _, c := range compressions(t, words(200)) {
		switch c.technique {
		case Gzip, Zlib, Zstd, Xz, Bzip2, Lz4:
			if !Begins(c.b) || Begins(append([]byte("x"), c.b...)) || Begins(c.b[:4]) {
				t.Errorf("%s: not known at its beginning, or elsewhere", c.technique)
			}
		}
	}
	marked := 0
	b := noise(1<<18, 7)
	for i := range len(b) - 64 {
		if Begins(b[i : i+64]) {
			marked++
		}
	}
	if marked > 30 {
		t.Errorf("%d of %d places in noise", marked, len(b))
	}
}
