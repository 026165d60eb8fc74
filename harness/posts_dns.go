package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
)

// dns starts the observers of the dns channels.
func (o *opening) dns() {
	names := open(o, channel.SinkDNS, observers.NewDNS)
	if o.err == nil {
		o.at(names.Addr(), channel.DNSLabel, channel.DNSLabelTCP)
	}
}
