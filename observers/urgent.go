package observers

import (
	"context"
	"net"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// NewUrgent listens for connections and keeps their urgent bytes, which other
// readers never see, among the others.
func NewUrgent(watch *canary.Watch, pilots Pilots) (*Protocol, error) {
	o := &Protocol{sink: channel.SinkUrgent, book: newLedger(), inline: true, say: sayUrgent}
	return o.listen(watch, pilots)
}

// sayUrgent says a text, every byte of it urgent.
func sayUrgent(ctx context.Context, address, text string) error {
	c, err := new(net.Dialer).DialContext(ctx, "tcp4", address)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, b := range []byte(text) {
		if err := writeUrgent(c.(*net.TCPConn), b); err != nil {
			return err
		}
	}
	return endOf(c)
}
