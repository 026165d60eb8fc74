package bridge

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/docker/docker/pkg/stdcopy"
)

// multiplex writes chunks of the given sizes as the Engine does, stdout and stderr in turn.
func multiplex(sizes ...int) []byte {
	var b bytes.Buffer
	for i, n := range sizes {
		kind := stdcopy.Stdout
		if i%2 == 1 {
			kind = stdcopy.Stderr
		}
		stdcopy.NewStdWriter(&b, kind).Write(bytes.Repeat([]byte{byte('a' + i)}, n))
	}
	return b.Bytes()
}

// agrees compares demux with the Engine's own reader on a whole stream.
func agrees(t *testing.T, stream []byte, r io.Reader) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if _, err := stdcopy.StdCopy(&stdout, &stderr, bytes.NewReader(stream)); err != nil {
		t.Fatal("the stream is not what it should be")
	}
	d := newDemux(r, 1<<20)
	got, err := io.ReadAll(d)
	if err != nil || !bytes.Equal(got, stdout.Bytes()) {
		t.Errorf("%d bytes of stdout, want %d; error %v", len(got), stdout.Len(), err)
	}
	if d.stdout != int64(stdout.Len()) || d.stderr != int64(stderr.Len()) {
		t.Errorf("counted %d and %d, want %d and %d", d.stdout, d.stderr, stdout.Len(), stderr.Len())
	}
}

func TestDemuxReadsWhatTheEngineWrites(t *testing.T) {
	for _, sizes := range [][]int{
		{}, {0}, {1}, {0, 1}, {5, 7, 0, 0, 3}, {32 << 10, 32 << 10, 32<<10 + 1}, {100_000, 200_000, 1},
	} {
		stream := multiplex(sizes...)
		agrees(t, stream, bytes.NewReader(stream))
		agrees(t, stream, iotest.OneByteReader(bytes.NewReader(stream)))
		agrees(t, stream, iotest.DataErrReader(bytes.NewReader(stream)))
	}
}

func TestDemuxTakesACutStreamForACut(t *testing.T) {
	stream := multiplex(3, 4, 5)
	ends := map[int]bool{0: true, 8 + 3: true, 16 + 7: true, 24 + 12: true}
	for n := range len(stream) + 1 {
		_, err := io.ReadAll(newDemux(bytes.NewReader(stream[:n]), 1<<20))
		if ends[n] != (err == nil) || !ends[n] && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
}

func TestDemuxRefusesStrangeHeaders(t *testing.T) {
	for _, header := range []string{
		"\x00\x00\x00\x00\x00\x00\x00\x01", // stdin, which the Engine never sends back
		"\x03\x00\x00\x00\x00\x00\x00\x01",
		"\x04\x00\x00\x00\x00\x00\x00\x01",
		"\x01\x01\x00\x00\x00\x00\x00\x01",
		"\x01\x00\x01\x00\x00\x00\x00\x01",
		"\x01\x00\x00\x01\x00\x00\x00\x01",
		"{\"operat",
	} {
		if _, err := io.ReadAll(newDemux(strings.NewReader(header+"a"), 1<<20)); !errors.Is(err, errMultiplex) {
			t.Errorf("%x: %v", header, err)
		}
	}
}

func TestDemuxStopsAtItsLimit(t *testing.T) {
	for _, r := range []struct {
		sizes          []int
		stdout, stderr int64 // counted
		given          int   // bytes of stdout that came out
		err            error
	}{
		{[]int{60, 40}, 60, 40, 60, nil},
		{[]int{60, 41}, 60, 41, 60, errOutputLimit},
		{[]int{60, 40, 1}, 61, 40, 60, errOutputLimit},
		{[]int{1000}, 101, 0, 100, errOutputLimit},
		{[]int{0, 1000}, 0, 101, 0, errOutputLimit},
		{[]int{60, 40, 0, 0}, 60, 40, 60, nil},
	} {
		d := newDemux(bytes.NewReader(multiplex(r.sizes...)), 100)
		got, err := io.ReadAll(d)
		if d.stdout != r.stdout || d.stderr != r.stderr || !errors.Is(err, r.err) {
			t.Errorf("%v: read %d and %d, error %v", r.sizes, d.stdout, d.stderr, err)
		}
		if len(got) != r.given {
			t.Errorf("%v: gave %d bytes, want %d", r.sizes, len(got), r.given)
		}
	}
}

// The largest chunk that a header can announce costs no memory: stdcopy would
// make room for 4 GiB.
func TestDemuxDoesNotTrustAnnouncedSizes(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	io.Copy(io.Discard, newDemux(strings.NewReader("\x02\x00\x00\x00\xff\xff\xff\xffa"), 1<<20))
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("allocated %d bytes", got)
	}
}

// FuzzDemux: whole streams read as stdcopy reads them, and no bytes panic.
func FuzzDemux(f *testing.F) {
	f.Add([]byte{5, 7, 0, 255}, []byte("\x01\x00\x00\x00\x00\x00\x00\x01a"))
	f.Add([]byte{}, []byte("\x02\x00\x00\x00\xff\xff\xff\xffa"))
	f.Fuzz(func(t *testing.T, sizes, stream []byte) {
		chunks := make([]int, len(sizes))
		for i, s := range sizes {
			chunks[i] = int(s)
		}
		if whole := multiplex(chunks...); len(whole) < 1<<20 {
			agrees(t, whole, iotest.HalfReader(bytes.NewReader(whole)))
		}
		d := newDemux(bytes.NewReader(stream), 64)
		if n, _ := io.Copy(io.Discard, d); n > 64 || d.stdout+d.stderr > 65 || d.stdout < n {
			t.Errorf("gave %d bytes, counted %d and %d", n, d.stdout, d.stderr)
		}
	})
}
