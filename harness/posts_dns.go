package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// engineResolver is where the Engine's own resolver listens in containers of
// networks that somebody made.
const engineResolver = "127.0.0.11:53"

// dns starts the observers of the dns channels.
func (o *opening) dns() {
	names := open(o, channel.SinkDNS, observers.NewDNS)
	open(o, channel.SinkResolver, func(w *canary.Watch, p observers.Pilots) (*observers.DNS, error) {
		return observers.NewResolver(o.trial.resolver(), w, p)
	})
	if o.err != nil {
		return
	}
	for _, c := range channel.Names() {
		if c.Sink == channel.SinkDNS {
			o.at(names.Addr(), c.ID)
		}
	}
	o.at(engineResolver, channel.DNSResolver)
}

// resolver is where the server listens that the Engine's resolver is told to
// ask. In a trial without such a network nobody is told.
func (t *trial) resolver() string {
	if t.site.Resolver == "" {
		return "127.0.0.1:0"
	}
	return t.site.Resolver + ":53"
}
