package observers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Pipe reads a named pipe that everybody may write to.
type Pipe struct {
	sink   channel.Sink
	pilots Pilots
	book   *ledger
	reader *os.File
	writer *os.File // our own, so that the pipe does not end before we close it
	path   string
	read   sync.WaitGroup
}

var _ Observer = (*Pipe)(nil)

// NewPipe makes the pipe at path.
func NewPipe(path string, watch *canary.Watch, pilots Pilots) (*Pipe, error) {
	return NewPipeAt(channel.SinkPipe, path, watch, pilots)
}

// NewPipeAt makes the pipe at path, for a sink.
func NewPipeAt(sink channel.Sink, path string, watch *canary.Watch, pilots Pilots) (*Pipe, error) {
	o := &Pipe{sink: sink, pilots: pilots, book: newLedger(), path: path}
	if err := o.open(); err != nil {
		o.Close()
		return nil, fmt.Errorf("starting the pipe observer: %w", withoutPath(err))
	}
	o.read.Go(func() { o.listen(watch.Stream()) })
	return o, nil
}

func (o *Pipe) open() (err error) {
	if err := syscall.Mkfifo(o.path, 0o600); err != nil {
		return err
	}
	if err := os.Chmod(o.path, 0o666); err != nil {
		return err
	}
	// Not blocking: there is nobody yet at the other end.
	if o.reader, err = os.OpenFile(o.path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return err
	}
	o.writer, err = os.OpenFile(o.path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	return err
}

// listen reads until nobody has the pipe open for writing any more.
func (o *Pipe) listen(s *canary.Stream) {
	buf := make([]byte, 64<<10)
	counted := map[channel.ID]int{}
	for {
		n, err := o.reader.Read(buf)
		s.Write(buf[:n])
		seen := s.Sightings()
		o.book.read(int64(n), beyond(seen, counted))
		counted = seen
		if err == io.EOF || errors.Is(err, syscall.EIO) { // which is how a terminal ends
			return
		}
		if err != nil || s.Bytes() > doorBytes {
			o.book.lost(1)
			return
		}
	}
}

// Sink implements Observer.
func (o *Pipe) Sink() channel.Sink { return o.sink }

// Pilot implements Observer: by an opening of its own, as the agent must.
func (o *Pipe) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	f, err := os.OpenFile(o.path, os.O_WRONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return fmt.Errorf("sending the pipe pilot: %w", withoutPath(err))
	}
	defer f.Close()
	if _, err := io.WriteString(f, text); err != nil {
		return fmt.Errorf("sending the pipe pilot: %w", withoutPath(err))
	}
	o.book.await(ctx, phase)
	return nil
}

// Collect implements Observer. Once our own end is closed the pipe ends when
// everybody else has closed theirs; one who does not is a drop.
func (o *Pipe) Collect(ctx context.Context) (Report, error) {
	ctx, cancel := context.WithTimeout(ctx, collectPatience)
	defer cancel()
	o.writer.Close()
	ended := make(chan struct{})
	go func() { o.read.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
		o.reader.Close() // which fails the read: a drop
		<-ended
	}
	return o.book.report(o.sink), nil
}

// Close implements Observer.
func (o *Pipe) Close() error {
	for _, f := range []*os.File{o.writer, o.reader} {
		if f != nil {
			f.Close()
		}
	}
	o.read.Wait()
	return nil
}
