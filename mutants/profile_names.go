package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// names lists the mutants of name resolution in the sandbox profile. Settings
// of the resolver open nothing while there is no network to ask in, and a
// network without a way out has the Engine's resolver, which asks from outside.
func names() []Mutant {
	return []Mutant{
		{
			ID:      "profile/dns-servers",
			Why:     "the container is told of a name server",
			Weakens: confine.DNSNone,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.DNS.Servers = []string{"192.0.2.53"} },
		},
		{
			ID:      "profile/dns-search",
			Why:     "the container is told of a domain to look for names in",
			Weakens: confine.DNSNone,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.DNS.Search = []string{"postern.test"} },
		},
		{
			ID:      "profile/dns-options",
			Why:     "the container is told how to ask for names",
			Weakens: confine.DNSNone,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.DNS.Options = []string{"ndots:0"} },
		},
		{
			ID:      "profile/resolver-internal",
			Why:     "on a network without a way out, the Engine's resolver is told of a name server on the host",
			Weakens: confine.DNSNone,
			With:    []confine.Control{confine.NetworkNone},
			Needs:   []Need{NeedResolver},
			Opens: []channel.ID{ // all of the host's addresses are reached from there
				channel.DNSResolver,
				channel.NetBroadcast, channel.NetGatewayTCP4, channel.NetGatewayUDP4,
				channel.NetListenTCP4, channel.NetListenUDP4, channel.NetSourcePort, channel.NetLength,
			},
			Apply: func(c *gateway.Config, s Site) {
				c.Profile.Network = s.Names.Network
				c.Profile.DNS.Servers = []string{s.Names.Server}
			},
		},
	}
}
