package cell

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// streams are the standard streams of a cell. Its output is put together as an
// Engine does that, for the one decoder there is: a head of eight bytes before
// each piece (Engine API "ContainerAttach").
type streams struct {
	stdin  *os.File
	output *io.PipeReader
	ours   []*os.File // to be closed at the end
	theirs []*os.File // which the cell has
	once   sync.Once
}

// newStreams gives a command its streams.
func newStreams(cmd *exec.Cmd) (*streams, error) {
	s := &streams{}
	var ends [3][2]*os.File
	for i := range ends {
		r, w, err := os.Pipe()
		if err != nil {
			s.handOver()
			s.closeOurs()
			return nil, fmt.Errorf("making a pipe to a cell: %w", err)
		}
		if ends[i] = [2]*os.File{r, w}; i == 0 {
			r, w = w, r
		}
		s.ours, s.theirs = append(s.ours, r), append(s.theirs, w)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0][0], ends[1][1], ends[2][1]
	s.stdin = ends[0][1]
	var into *io.PipeWriter
	s.output, into = io.Pipe()
	var both sync.WaitGroup
	var turn sync.Mutex
	for kind, from := range map[byte]*os.File{1: ends[1][0], 2: ends[2][0]} {
		both.Go(func() { multiplex(into, &turn, kind, from) })
	}
	go func() {
		both.Wait()
		into.Close()
	}()
	return s, nil
}

// multiplex passes on what is written to a stream until its end, or until nobody
// wants it.
func multiplex(into io.Writer, turn *sync.Mutex, kind byte, from io.Reader) {
	const head = 8
	piece := make([]byte, head+32<<10)
	for {
		n, err := from.Read(piece[head:])
		if n > 0 {
			piece[0] = kind
			binary.BigEndian.PutUint32(piece[4:], uint32(n))
			turn.Lock()
			_, lost := into.Write(piece[:head+n])
			turn.Unlock()
			err = errors.Join(err, lost)
		}
		if err != nil {
			return
		}
	}
}

// handOver closes the ends that the cell has by now.
func (s *streams) handOver() {
	for _, f := range s.theirs {
		f.Close()
	}
}

func (s *streams) closeOurs() {
	for _, f := range s.ours {
		f.Close()
	}
}

// close ends what is blocked in any of the streams.
func (s *streams) close() error {
	s.once.Do(func() {
		s.closeOurs()
		if s.output != nil {
			s.output.Close()
		}
	})
	return nil
}
