package observers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// socketList is the kernel's list of the unix sockets of this network
// namespace (proc_pid_net(5)).
const socketList = "/proc/self/net/unix"

// SocketNames searches the names of this host's unix sockets. Its pilots are
// names of sockets of its own.
type SocketNames struct {
	looked bool // once
	pilots Pilots
	watch  *canary.Watch
	book   *ledger
}

var _ Living = (*SocketNames)(nil)

// NewSocketNames prepares the observer.
func NewSocketNames(watch *canary.Watch, pilots Pilots) *SocketNames {
	return &SocketNames{pilots: pilots, watch: watch, book: newLedger()}
}

// Enter implements Living: what it looks at is the host's.
func (o *SocketNames) Enter(string, int) {}

// Sink implements Observer.
func (o *SocketNames) Sink() channel.Sink { return channel.SinkSocketNames }

// Pilot implements Observer.
func (o *SocketNames) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	l, err := net.Listen("unix", "@"+text)
	if err != nil {
		return errors.New("naming a socket as the pilot of socket names") // the error holds the name
	}
	defer l.Close()
	return o.search(phase)
}

// Look implements Living.
func (o *SocketNames) Look(context.Context) error {
	o.looked = true
	return o.search("")
}

// search reads the list once. A pilot that is looked for must not count what
// the agent's sockets show beside it, and the other way round.
func (o *SocketNames) search(pilot channel.ID) error {
	list, err := os.ReadFile(socketList)
	if err != nil {
		return fmt.Errorf("listing unix sockets: %w", err)
	}
	seen := tally(o.watch.Scan(list))
	for id := range seen {
		if pilot != "" && id != pilot {
			delete(seen, id)
		}
	}
	o.book.read(int64(len(list)), seen)
	return nil
}

// Collect implements Observer.
func (o *SocketNames) Collect(context.Context) (Report, error) {
	if !o.looked {
		o.book.lost(1) // pilots alone prove nothing
	}
	return o.book.report(channel.SinkSocketNames), nil
}

// Close implements Observer.
func (o *SocketNames) Close() error { return nil }
