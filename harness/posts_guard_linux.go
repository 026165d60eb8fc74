package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// session starts the observers of what belongs to the session of the gateway.
func (o *opening) session() {
	keyring := open(o, channel.SinkGuardKeyring, func(w *canary.Watch, p observers.Pilots) (*observers.SessionKeyring, error) {
		return observers.NewSessionKeyring(channel.SinkGuardKeyring, w, p)
	})
	if o.err == nil {
		o.posts.inside = keyring.Inside
	}
	o.posts.terminal = started(o, channel.SinkGuardTerminal, func(w *canary.Watch, p observers.Pilots) (*observers.Pipe, error) {
		return observers.NewTerminal(channel.SinkGuardTerminal, w, p)
	})
}
