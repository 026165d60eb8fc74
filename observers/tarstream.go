package observers

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"

	"postern/observers/canary"
)

const (
	maxArchive = 1 << 30 // bytes of one tar stream; what goes beyond is a drop
	trailer    = 1024    // an archive ends in two blocks of zeros (POSIX ustar)
)

var errTooLong = errors.New("there is more than the observer may read")

// searchTar feeds a whole tar stream to the searches: names, link targets,
// extended records and contents all stand in it as they are. It parses the
// stream to prove that it is whole, to count its entries, and to show each to
// entry, which may be nil. Past limit bytes it stops with errTooLong.
func searchTar(r io.Reader, limit int64, entry func(*tar.Header) error, searches ...*canary.Stream) (entries int, err error) {
	var end zeros
	sinks := []io.Writer{&end}
	for _, s := range searches {
		sinks = append(sinks, s)
	}
	all := io.TeeReader(&limited{r, limit}, io.MultiWriter(sinks...))
	archive := tar.NewReader(all)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err == nil && entry != nil {
			err = entry(h)
		}
		if err != nil {
			return entries, fmt.Errorf("reading entry %d of an archive: %w", entries+1, closed(err))
		}
		entries++
	}
	if _, err := io.Copy(io.Discard, all); err != nil {
		return entries, fmt.Errorf("reading the end of an archive: %w", closed(err))
	}
	// The parser takes a stream that was cut between two entries for whole.
	if end < trailer {
		return entries, errors.New("reading an archive: it was cut short")
	}
	return entries, nil
}

// closed keeps names that the agent chose out of an error.
func closed(err error) error {
	for _, known := range []error{errTooLong, io.ErrUnexpectedEOF, tar.ErrHeader, tar.ErrFieldTooLong} {
		if errors.Is(err, known) {
			return known
		}
	}
	return errors.New("the stream failed")
}

// zeros is the number of zero bytes at the end of what was written.
type zeros int64

func (z *zeros) Write(p []byte) (int, error) {
	i := len(p)
	for i > 0 && p[i-1] == 0 {
		i--
	}
	if i > 0 {
		*z = 0
	}
	*z += zeros(len(p) - i)
	return len(p), nil
}

// limited fails past its limit, where io.LimitReader would end.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	l.left -= int64(n)
	if l.left < 0 {
		return n, errTooLong
	}
	return n, err
}
