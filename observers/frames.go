package observers

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"sync"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// frameType is the EtherType of frames of no protocol (IEEE 802: local
// experiments).
const frameType = 0x88b5

// Frames captures what passes on one link below TCP and UDP: ARP, ICMP echo
// requests, DHCP requests, and frames of no protocol. It searches whole frames.
type Frames struct {
	pilots Pilots
	watch  *canary.Watch
	book   *ledger
	tap    *linkTap
	port   *Port

	mu    sync.Mutex
	fence []byte        // what the last frame holds
	up    chan struct{} // closed when it was read
}

var _ Observer = (*Frames)(nil)

// NewFrames captures on the interface of this host with that name. Pilots are
// sent at the port.
func NewFrames(link string, port *Port, watch *canary.Watch, pilots Pilots) (*Frames, error) {
	tap, err := openTap(link)
	if err != nil {
		return nil, fmt.Errorf("starting the frames observer: %w", err)
	}
	o := &Frames{pilots: pilots, watch: watch, book: newLedger(), tap: tap, port: port, up: make(chan struct{})}
	go o.serve()
	return o, nil
}

func (o *Frames) serve() {
	buf := make([]byte, maxDatagram+1)
	for {
		n, err := o.tap.Read(buf)
		if err != nil {
			return
		}
		if !o.fenced(buf[:n]) {
			o.book.read(int64(n), tally(o.watch.Scan(buf[:n])))
		}
		if n == len(buf) {
			o.book.lost(1)
		}
	}
}

func (o *Frames) fenced(frame []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.fence == nil || !bytes.Contains(frame, o.fence) {
		return false
	}
	o.fence = nil
	close(o.up)
	return true
}

// Sink implements Observer.
func (o *Frames) Sink() channel.Sink { return channel.SinkFrames }

// Pilot implements Observer: one frame of no protocol.
func (o *Frames) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	if err := o.port.send([]byte(text)); err != nil {
		return fmt.Errorf("sending the frames pilot: %w", err)
	}
	o.book.await(ctx, phase)
	return nil
}

// Collect implements Observer. The queue is in order: once the last frame was
// read, so were all before it.
func (o *Frames) Collect(ctx context.Context) (Report, error) {
	defer o.Close()
	ctx, cancel := context.WithTimeout(ctx, collectPatience)
	defer cancel()
	fence := make([]byte, 16)
	rand.Read(fence)
	o.mu.Lock()
	o.fence = bytes.Clone(fence)
	o.mu.Unlock()
	if err := o.port.send(fence); err != nil {
		return o.book.report(channel.SinkFrames), fmt.Errorf("ending a capture: %w", err)
	}
	select {
	case <-o.up:
	case <-ctx.Done():
		o.book.lost(1) // at least one frame was never read
	}
	lost, err := o.tap.lost()
	o.book.lost(lost)
	return o.book.report(channel.SinkFrames), err
}

// Close implements Observer.
func (o *Frames) Close() error {
	o.tap.close()
	return nil
}
