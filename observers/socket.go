package observers

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Socket listens on a Unix socket by a path, and searches whole connections.
type Socket struct {
	sink   channel.Sink
	path   string
	fences string // a directory that only this user can enter
	pilots Pilots
	book   *ledger
	door   *door
	answer func(net.Conn) // before the connection is read to its end
}

var _ Observer = (*Socket)(nil)

// NewSocket listens at path, which everybody may connect to.
func NewSocket(path string, watch *canary.Watch, pilots Pilots) (*Socket, error) {
	return newSocket(channel.SinkSocket, path, 0o777, func(net.Conn) {}, watch, pilots)
}

// NewDaemon stands in for the Engine at path: it takes requests, makes
// nothing, and says that it did. Only root and the group that owns it may
// connect, as to the Engine's own.
func NewDaemon(path string, group int, watch *canary.Watch, pilots Pilots) (*Socket, error) {
	o, err := newSocket(channel.SinkDaemon, path, 0o660, pretend, watch, pilots)
	if err != nil {
		return nil, err
	}
	if err := os.Chown(path, 0, group); err != nil {
		o.Close()
		return nil, fmt.Errorf("starting the daemon observer: %w", err)
	}
	return o, nil
}

func newSocket(sink channel.Sink, path string, mode os.FileMode, answer func(net.Conn), watch *canary.Watch, pilots Pilots) (*Socket, error) {
	fences, err := os.MkdirTemp(filepath.Dir(filepath.Dir(path)), "fence-") // not where others can see it
	if err != nil {
		return nil, fmt.Errorf("starting the %s observer: %w", sink, err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		os.RemoveAll(fences)
		return nil, fmt.Errorf("starting the %s observer: %w", sink, err)
	}
	book := newLedger()
	o := &Socket{sink: sink, path: path, fences: fences, pilots: pilots, book: book, door: newDoor(l, watch, book), answer: answer}
	if err := os.Chmod(path, mode); err != nil {
		o.Close()
		return nil, fmt.Errorf("starting the %s observer: %w", sink, err)
	}
	go o.serve()
	return o, nil
}

func (o *Socket) serve() {
	for {
		c, err := o.door.Accept()
		if err != nil {
			return
		}
		go func() {
			o.answer(c)
			c.Close() // reads to the end
		}()
	}
}

// pretend answers one request as the Engine does when it has made a container.
func pretend(c net.Conn) {
	request, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return // whatever it was, it has been searched
	}
	io.Copy(io.Discard, request.Body)
	io.WriteString(c, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

// Sink implements Observer.
func (o *Socket) Sink() channel.Sink { return o.sink }

// Pilot implements Observer: one connection to its own path.
func (o *Socket) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	if err := sendTo(ctx, "unix", o.path, []byte(text)); err != nil {
		return fmt.Errorf("sending the %s pilot: %w", o.sink, err)
	}
	o.book.await(ctx, phase)
	return nil
}

// Collect implements Observer.
func (o *Socket) Collect(ctx context.Context) (Report, error) {
	err := o.door.settle(ctx, func(ctx context.Context) (net.Conn, error) {
		from := &net.UnixAddr{Name: filepath.Join(o.fences, "f"), Net: "unix"} // a name to know it by
		return (&net.Dialer{LocalAddr: from}).DialContext(ctx, "unix", o.path)
	})
	return o.book.report(o.sink), err
}

// Close implements Observer.
func (o *Socket) Close() error {
	o.door.Listener.Close()
	o.door.cut()
	return os.RemoveAll(o.fences)
}
