package frame

import (
	"bytes"
	"io"
)

const (
	firstBuffer   = 4 << 10 // most frames are smaller
	maxEmptyReads = 100     // of a reader that returns neither bytes nor an error
)

// Reader reads frames from a stream. It holds at most Limits.Bytes + 1 bytes
// of it. LF alone ends a line: U+0085, U+2028 and U+2029 do not.
type Reader struct {
	src        io.Reader
	limits     Limits
	decoder    decoder
	buf        []byte
	start, end int      // the unread bytes of buf
	scanned    int      // buf[start:scanned] holds no LF
	srcErr     error    // what src ended with
	err        error    // what Next ended with
	pieces     [][]byte // of a line, for a Weakness
}

// NewReader returns a Reader of the frames in r.
func NewReader(r io.Reader, l Limits) *Reader {
	l = l.effective()
	return &Reader{src: r, limits: l, buf: make([]byte, min(firstBuffer, l.Bytes+1))}
}

// Next returns the next frame. At the end of the stream it returns io.EOF if
// that is the end of a line; a *Refusal for a refused frame; and otherwise the
// error of the stream. After any error it returns the same one for ever: what
// follows a refused frame cannot be trusted to start a line.
func (r *Reader) Next() (Call, error) {
	if r.err != nil {
		return Call{}, r.err
	}
	line, err := r.frame()
	if err != nil {
		r.err = err
		return Call{}, err
	}
	c, err := r.decoder.decode(line, r.limits)
	r.err = err
	return c, err
}

// line returns the next line, valid until the next call.
func (r *Reader) line() ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.scanned:r.end], '\n'); i >= 0 {
			line := r.buf[r.start : r.scanned+i]
			r.start = r.scanned + i + 1
			r.scanned = r.start
			return line, nil
		}
		r.scanned = r.end
		partial := r.end - r.start
		switch {
		case partial > r.limits.Bytes:
			return nil, refuse(Oversized)
		case r.srcErr == io.EOF && partial > 0:
			return nil, refuse(Unterminated)
		case r.srcErr != nil:
			return nil, r.srcErr
		}
		r.makeRoom()
		r.fill()
	}
}

// makeRoom frees at least one byte behind the unread ones, of which there are
// at most Limits.Bytes. Bytes move only when the buffer is at its end, so a line
// that arrives byte by byte costs no more than one that arrives whole.
func (r *Reader) makeRoom() {
	if r.start == r.end {
		r.start, r.end, r.scanned = 0, 0, 0
	}
	if r.end < len(r.buf) {
		return
	}
	to := r.buf
	if r.start == 0 { // one line fills it, so it is smaller than Limits.Bytes + 1
		to = make([]byte, min(2*len(r.buf), r.limits.Bytes+1))
	}
	n := copy(to, r.buf[r.start:r.end])
	r.buf, r.start, r.end, r.scanned = to, 0, n, n
}

// fill reads once.
func (r *Reader) fill() {
	for range maxEmptyReads {
		n, err := r.src.Read(r.buf[r.end:])
		if n > 0 || err != nil {
			r.end += n
			r.srcErr = err
			return
		}
	}
	r.srcErr = io.ErrNoProgress
}
