package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// Where the Engine's own resolver listens in containers of networks that
// somebody made, and a port there where nobody does.
const (
	engineResolver = "127.0.0.11:53"
	nobodyThere    = "127.0.0.11:9"
)

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
	o.at(names.Addr(), channel.Dressed(channel.SinkDNS)...)
	o.at(o.trial.asked(), channel.DNSResolver)
}

// resolver is where the server listens that the Engine's resolver is told to
// ask. In a trial without such a network nobody is told.
func (t *trial) resolver() string {
	if t.site.Names.Server == "" {
		return "127.0.0.1:0"
	}
	return t.site.Names.Server + ":53"
}

// asked is where the agent asks the Engine's resolver. On a network without a
// server of ours the Engine would send the question on to the host's own, which
// may be anywhere: nothing of ours may leave this machine.
func (t *trial) asked() string {
	if len(t.spec.Needs) > 0 && t.site.Names.Server == "" {
		return nobodyThere
	}
	return engineResolver
}
