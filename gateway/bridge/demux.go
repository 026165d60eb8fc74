package bridge

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// Stream types of the attach protocol (docker/docker pkg/stdcopy, Engine API
// "ContainerAttach"). The third, an error of the Engine's own, has no bytes for us.
const (
	streamStdout = 1
	streamStderr = 2
)

var errMultiplex = errors.New("output is not multiplexed as the Engine does")

// demux reads the stdout of a raw attach stream, and counts and drops its stderr.
//
// It stands in for stdcopy.StdCopy, which holds each chunk whole (a header may
// announce 4 GiB), takes a stream cut inside a chunk for a clean end, and puts
// the Engine's error text into its own error. Here memory is one fixed buffer, a
// cut is io.ErrUnexpectedEOF, and no text passes.
type demux struct {
	raw            *bufio.Reader
	limit          int64 // of stdout + stderr
	stdout, stderr int64 // payload bytes read; one over the limit at most
	kind           byte  // of the chunk being read
	left           int64 // of it
}

func newDemux(r io.Reader, limit int64) *demux {
	return &demux{raw: bufio.NewReaderSize(r, 32<<10), limit: limit}
}

// Read returns bytes of stdout. The byte over the limit is read, so that a
// stream exactly at the limit can still end well, and answered with errOutputLimit.
func (d *demux) Read(p []byte) (int, error) {
	for {
		if d.left == 0 {
			if err := d.header(); err != nil {
				return 0, err
			}
			continue
		}
		allowed := d.limit - d.stdout - d.stderr
		want := min(d.left, max(allowed, 1))
		if allowed > 0 && d.kind == streamStdout {
			n, err := d.raw.Read(p[:min(int64(len(p)), want)])
			d.took(n)
			return n, cut(err)
		}
		n, err := d.raw.Discard(int(want))
		d.took(n)
		switch {
		case err != nil:
			return 0, cut(err)
		case allowed <= 0:
			return 0, errOutputLimit
		}
	}
}

// header reads the head of the next chunk: its type, three zero bytes, its
// size in big-endian order. Between chunks an end is an end.
func (d *demux) header() error {
	var h [8]byte
	if _, err := io.ReadFull(d.raw, h[:]); err != nil {
		return err
	}
	if h[0] != streamStdout && h[0] != streamStderr || h[1] != 0 || h[2] != 0 || h[3] != 0 {
		return errMultiplex
	}
	d.kind, d.left = h[0], int64(binary.BigEndian.Uint32(h[4:]))
	return nil
}

func (d *demux) took(n int) {
	d.left -= int64(n)
	if d.kind == streamStdout {
		d.stdout += int64(n)
	} else {
		d.stderr += int64(n)
	}
}

func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
