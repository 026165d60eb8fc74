package frame_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"postern/gateway/frame"
)

var chunkings = []struct {
	name string
	of   func(io.Reader) io.Reader
}{
	{"whole", func(r io.Reader) io.Reader { return r }},
	{"byte by byte", iotest.OneByteReader},
	{"half reads", iotest.HalfReader},
	{"end with the data", iotest.DataErrReader},
}

func TestReaderGivesTheSameFramesHoweverTheyAreSplit(t *testing.T) {
	long := with(`{"text":"` + strings.Repeat("a", 20_000) + `"}`)
	separators := with(`{"text":"` + "\u2028\u2029\u0085" + `"}`)
	stream := with(`{}`) + "\n" + long + "\n" + with(`{"text":"b"}`) + "\n" + separators + "\n" + long + "\n"
	want := []int{len(`{}`), 20_011, len(`{"text":"b"}`), len(`{"text":""}`) + 8, 20_011}
	for _, c := range chunkings {
		t.Run(c.name, func(t *testing.T) {
			r := frame.NewReader(c.of(strings.NewReader(stream)), frame.Limits{})
			for i, n := range want {
				call, err := r.Next()
				if err != nil || len(call.Arguments) != n {
					t.Fatalf("frame %d: %d bytes of arguments, want %d; error %v", i, len(call.Arguments), n, err)
				}
			}
			if _, err := r.Next(); err != io.EOF {
				t.Errorf("end: %v", err)
			}
		})
	}
}

func TestReaderEnds(t *testing.T) {
	broken := errors.New("connection reset")
	good := with(`{}`) + "\n"
	const limit = 96
	fill := func(n int) string { // a frame of n bytes
		return with(`{"a":"` + strings.Repeat("a", n-len(with(`{"a":""}`))) + `"}`)
	}
	for _, r := range []struct {
		name   string
		stream io.Reader
		frames int
		end    error // compared by identity unless a code is given
		code   frame.Code
	}{
		{"nothing", strings.NewReader(""), 0, io.EOF, ""},
		{"after a frame", strings.NewReader(good), 1, io.EOF, ""},
		{"without the last LF", strings.NewReader(good + with(`{}`)), 1, nil, frame.Unterminated},
		{"inside a frame", strings.NewReader(good + `{"oper`), 1, nil, frame.Unterminated},
		{"after a blank", strings.NewReader(good + " "), 1, nil, frame.Unterminated},
		{"empty line", strings.NewReader(good + "\n" + good), 1, nil, frame.NotJSON},
		{"CRLF", strings.NewReader(with(`{}`) + "\r\n"), 0, nil, frame.CarriageReturn},
		{"U+2028 is no line end", strings.NewReader(with(`{}`) + "\u2028" + good), 0, nil, frame.TrailingBytes},
		{"U+0085 is no line end", strings.NewReader(with(`{}`) + "\u0085" + good), 0, nil, frame.TrailingBytes},
		{"refused between good ones", strings.NewReader(good + "[]\n" + good), 1, nil, frame.Batch},
		{"exactly at the limit", strings.NewReader(fill(limit) + "\n" + fill(limit) + "\n"), 2, io.EOF, ""},
		{"one over the limit", strings.NewReader(good + fill(limit+1) + "\n"), 1, nil, frame.Oversized},
		{"far over the limit, no LF", strings.NewReader(good + strings.Repeat("a", 1<<20)), 1, nil, frame.Oversized},
		{"broken at the start", iotest.ErrReader(broken), 0, broken, ""},
		{"broken between frames", io.MultiReader(strings.NewReader(good), iotest.ErrReader(broken)), 1, broken, ""},
		{"broken inside a frame", io.MultiReader(strings.NewReader(good+"{"), iotest.ErrReader(broken)), 1, broken, ""},
		{"neither bytes nor an end", iotest.ErrReader(nil), 0, io.ErrNoProgress, ""},
	} {
		for _, c := range chunkings {
			t.Run(r.name+"/"+c.name, func(t *testing.T) {
				rewind(r.stream)
				reader := frame.NewReader(c.of(r.stream), frame.Limits{Bytes: limit})
				frames, err := drain(reader)
				if frames != r.frames {
					t.Errorf("%d frames, want %d", frames, r.frames)
				}
				if r.code != "" && codeOf(err) != r.code || r.code == "" && err != r.end {
					t.Errorf("ended with %v", err)
				}
				if _, again := reader.Next(); again != err {
					t.Errorf("then ended with %v", again)
				}
			})
			if _, ok := r.stream.(*strings.Reader); !ok {
				break // it can be read once
			}
		}
	}
}

func TestReaderIsBoundedOnAnEndlessLine(t *testing.T) {
	const limit = 1 << 20
	src := &endless{}
	r := frame.NewReader(src, frame.Limits{Bytes: limit})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := r.Next()
	runtime.ReadMemStats(&after)
	if codeOf(err) != frame.Oversized {
		t.Errorf("ended with %v", err)
	}
	if src.read > limit+1 {
		t.Errorf("read %d bytes of a line limited to %d", src.read, limit)
	}
	// Doubling up to the limit, and once more for the byte over it.
	if got := after.TotalAlloc - before.TotalAlloc; got > 4*limit {
		t.Errorf("allocated %d bytes for a line limited to %d", got, limit)
	}
}

type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	n := min(len(p), 512)
	for i := range p[:n] {
		p[i] = 'a'
	}
	e.read += n
	return n, nil
}

func rewind(r io.Reader) {
	if s, ok := r.(*strings.Reader); ok {
		s.Seek(0, io.SeekStart)
	}
}

func drain(r *frame.Reader) (frames int, err error) {
	for {
		if _, err = r.Next(); err != nil {
			return frames, err
		}
		frames++
	}
}
