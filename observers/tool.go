package observers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"sync"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	ack       = 0x06        // ASCII ACK: the record is kept
	maxRecord = 1 << 20     // bytes in one line
	pilotTool = "\x00pilot" // no tool has such a name
)

// Tool is the sink that the upstream tool server records its calls to: a unix
// socket that takes lines {"tool","text"} and acknowledges each.
type Tool struct {
	dir    string
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	door   *door

	mu      sync.Mutex
	records map[string]int
	revoked map[string]bool
}

var _ Observer = (*Tool)(nil)

// NewTool listens in a new directory below parent that only this user can enter.
func NewTool(parent string, watch *canary.Watch, pilots Pilots) (*Tool, error) {
	dir, err := os.MkdirTemp(parent, "tool-") // mode 0700
	if err != nil {
		return nil, fmt.Errorf("starting the tool observer: %w", err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "sink"))
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("starting the tool observer: %w", err)
	}
	book := newLedger()
	o := &Tool{dir: dir, watch: watch, pilots: pilots, book: book, door: newDoor(l, watch, book), records: map[string]int{}, revoked: map[string]bool{}}
	go o.serve()
	return o, nil
}

func (o *Tool) serve() {
	for {
		c, err := o.door.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			if o.take(c) != nil {
				o.book.lost(1)
			}
		}()
	}
}

var errRecord = errors.New("a record is no line {tool, text}")

// take reads records until the connection ends between two of them.
func (o *Tool) take(c net.Conn) error {
	r := bufio.NewReaderSize(c, 64<<10)
	for {
		line, err := readLine(r)
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return errRecord
		}
		if err := o.record(line); err != nil {
			return err
		}
		if _, err := c.Write([]byte{ack}); err != nil {
			return nil // the record was kept; that its sender left is no loss
		}
	}
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxRecord {
			return nil, errRecord
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

func (o *Tool) record(line []byte) error {
	var rec struct {
		Tool string `json:"tool"`
		Text string `json:"text"`
	}
	if json.Unmarshal(line, &rec) != nil || rec.Tool == "" {
		return errRecord
	}
	// The door sees the line; escapes in it are gone only from the text.
	o.book.found(beyond(tally(o.watch.Scan([]byte(rec.Text))), tally(o.watch.Scan(line))))
	if rec.Tool == pilotTool {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.records[rec.Tool]++
	if o.revoked[rec.Tool] {
		o.book.found(map[channel.ID]int{channel.ToolRevoked: 1})
	}
	return nil
}

// Revoke tells the observer that a tool may receive nothing from now on: what
// it records after this is an arrival at channel.ToolRevoked, whatever it holds.
func (o *Tool) Revoke(tool string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.revoked[tool] = true
}

// Records returns how many calls each tool has recorded.
func (o *Tool) Records() map[string]int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.records)
}

// Addr is the path of the socket.
func (o *Tool) Addr() string { return o.door.Addr().String() }

// Sink implements Observer.
func (o *Tool) Sink() channel.Sink { return channel.SinkTool }

// Pilot implements Observer: one record, sent and acknowledged like those of
// the tool server.
func (o *Tool) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, pilotPatience)
	defer cancel()
	o.book.pilot(phase, 1)
	if err := o.send(ctx, text); err != nil {
		return fmt.Errorf("sending the tool pilot: %w", err)
	}
	o.book.await(ctx, phase)
	return nil
}

func (o *Tool) send(ctx context.Context, text string) error {
	c, err := new(net.Dialer).DialContext(ctx, "unix", o.Addr())
	if err != nil {
		return err
	}
	defer c.Close()
	if deadline, ok := ctx.Deadline(); ok {
		c.SetDeadline(deadline)
	}
	line, err := json.Marshal(map[string]string{"tool": pilotTool, "text": text})
	if err != nil {
		return errors.New("the pilot makes no record")
	}
	if _, err := c.Write(append(line, '\n')); err != nil {
		return err
	}
	var got [1]byte
	if _, err := io.ReadFull(c, got[:]); err != nil || got[0] != ack {
		return errors.New("it was not acknowledged")
	}
	return nil
}

// Collect implements Observer.
func (o *Tool) Collect(ctx context.Context) (Report, error) {
	err := o.door.settle(ctx, func(ctx context.Context) (net.Conn, error) {
		from := &net.UnixAddr{Name: filepath.Join(o.dir, "fence"), Net: "unix"} // a name to know it by
		return (&net.Dialer{LocalAddr: from}).DialContext(ctx, "unix", o.Addr())
	})
	return o.book.report(channel.SinkTool), err
}

// Close implements Observer.
func (o *Tool) Close() error {
	o.door.Listener.Close()
	o.door.cut()
	return os.RemoveAll(o.dir)
}
