package observers

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// VsockPorts is how many ports one Vsock has for itself: a range for the agent,
// and behind it one for pilots.
const VsockPorts = 2 * vsockBits

const vsockBits = 8 * canary.Size

// Vsock tries which ports of the virtual machine's sockets are taken,
// vsock(7): they belong to no network namespace. Each of a range of them is one
// bit. Its pilots are sockets of its own on a range beside the agent's, read in
// the same way.
type Vsock struct {
	base   uint32
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
}

var _ Living = (*Vsock)(nil)

// NewVsock prepares the observer of the ports from base on.
func NewVsock(base uint32, watch *canary.Watch, pilots Pilots) (*Vsock, error) {
	return &Vsock{base: base, watch: watch, pilots: pilots, book: newLedger()}, nil
}

// Enter implements Living. What it looks at are ports, whoever has them.
func (o *Vsock) Enter(string, int) {}

// Sink implements Observer.
func (o *Vsock) Sink() channel.Sink { return channel.SinkVsock }

// Pilot implements Observer.
func (o *Vsock) Pilot(_ context.Context, phase channel.ID) error {
	raw, err := o.pilots.bytes(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	free, err := takePorts(o.base+vsockBits, raw)
	defer free()
	if err != nil {
		return fmt.Errorf("taking the ports of a pilot: %w", err)
	}
	seen, err := o.read(o.base + vsockBits)
	o.book.found(onlyPhase(seen, phase))
	return err
}

// Look implements Living.
func (o *Vsock) Look(context.Context) error {
	seen, err := o.read(o.base)
	o.book.found(withoutPilots(seen))
	o.book.count(vsockBits, 0)
	return err
}

func (o *Vsock) read(from uint32) (map[channel.ID]int, error) {
	spelt, err := takenPorts(from)
	if err != nil {
		return nil, fmt.Errorf("trying ports: %w", err)
	}
	return tally(o.watch.Scan(spelt)), nil
}

// Collect implements Observer.
func (o *Vsock) Collect(context.Context) (Report, error) { return o.book.report(o.Sink()), nil }

// Close implements Observer.
func (o *Vsock) Close() error { return nil }

// takenPorts spells which of the ports from one on are taken.
func takenPorts(from uint32) ([]byte, error) {
	spelt := make([]byte, vsockBits/8)
	for n := range uint32(vsockBits) {
		fd, err := takePort(from + n)
		switch {
		case err == nil:
			unix.Close(fd)
		case errors.Is(err, unix.EADDRINUSE):
			spelt[n/8] |= 1 << (7 - n%8)
		default:
			return nil, err
		}
	}
	return spelt, nil
}

// takePorts takes those that spell a pilot, and says how to give them back.
func takePorts(from uint32, raw []byte) (free func(), err error) {
	var fds []int
	free = func() {
		for _, fd := range fds {
			unix.Close(fd)
		}
	}
	for n := range uint32(8 * len(raw)) {
		if raw[n/8]>>(7-n%8)&1 == 0 {
			continue
		}
		fd, err := takePort(from + n)
		if err != nil {
			return free, err
		}
		fds = append(fds, fd)
	}
	return free, nil
}

func takePort(port uint32) (int, error) {
	fd, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	if err := unix.Bind(fd, &unix.SockaddrVM{CID: unix.VMADDR_CID_ANY, Port: port}); err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// onlyPhase keeps the pilot of one phase.
func onlyPhase(seen map[channel.ID]int, phase channel.ID) map[channel.ID]int {
	if seen[phase] == 0 {
		return nil
	}
	return map[channel.ID]int{phase: 1}
}
