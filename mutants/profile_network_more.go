package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// networkNames lists the mutants of what the container is told of addresses.
func networkNames() []Mutant {
	host := func(c *gateway.Config, s Site) { c.Profile.Hosts = []string{GatewayName + ":" + s.Net.Gateway} }
	return []Mutant{
		{
			ID:      "profile/hosts-gateway",
			Why:     "the container is told a name of the host's address on the bridge",
			Weakens: confine.HostsNone,
			Needs:   []Need{NeedBridge},
			Apply:   host,
		},
		{
			ID:      "profile/hosts-gateway-bridge",
			Why:     "the container is told a name of the host's address on the bridge, and is on it",
			Weakens: confine.HostsNone,
			With:    []confine.Control{confine.NetworkNone},
			Needs:   []Need{NeedBridge},
			Opens:   overBridge(channel.NetGatewayNamed),
			Apply:   onBridge(host),
		},
		{
			ID:      "profile/hosts-keyword-bridge",
			Why:     "the container is told a name of the host, whose address the Engine fills in, and is on its bridge",
			Weakens: confine.HostsNone,
			With:    []confine.Control{confine.NetworkNone},
			Opens:   overBridge(channel.NetGatewayNamed),
			Apply: onBridge(func(c *gateway.Config, _ Site) {
				c.Profile.Hosts = []string{GatewayName + ":host-gateway"}
			}),
		},
	}
}

// networkPrivileges lists the mutants that give a privilege over a network.
func networkPrivileges() []Mutant {
	privileged := func(capability, network string) func(*gateway.Config, Site) {
		return func(c *gateway.Config, _ Site) {
			c.Profile.CapAdd = []string{capability}
			c.Profile.User = "0:0"
			c.Profile.Network = network
		}
	}
	with := []confine.Control{confine.NetworkNone, confine.UserNonroot}
	also := []confine.Control{confine.CapabilitiesDropped} // which /proc shows them to be no more
	root := []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone}
	return []Mutant{
		{
			ID:      "profile/cap-net-raw",
			Why:     "a capability is added that no process of the container gets: sockets below IP",
			Weakens: confine.CapabilitiesNotAdded,
			Also:    also,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.CapAdd = []string{"NET_RAW"} },
		},
		{
			ID:      "profile/cap-net-raw-bridge",
			Why:     "root on the Engine's bridge has sockets below IP",
			Weakens: confine.CapabilitiesNotAdded,
			With:    with,
			Also:    root,
			Opens:   append(overBridge(channel.NetARP, channel.NetPacket), channel.ProcessUserRoot, channel.ProcessCapability),
			Apply:   privileged("NET_RAW", "bridge"),

			Hardened: append(overBridge(), channel.ProcessUserRoot, channel.ProcessCapability), // its filter refuses such sockets
		},
		{
			ID:      "profile/deny-packet-bridge",
			Why:     "root on the Engine's bridge has sockets below IP, which the filter does not refuse",
			Weakens: confine.DenyPacket,
			With:    append(slices.Clone(with), confine.CapabilitiesNotAdded),
			Also:    root,
			Tier:    confine.TierHardened,
			Opens:   append(overBridge(channel.NetARP, channel.NetPacket, channel.KernelPacket), channel.ProcessUserRoot, channel.ProcessCapability),
			Apply: func(c *gateway.Config, s Site) {
				privileged("NET_RAW", "bridge")(c, s)
				c.Profile.Deny.Packet = false
			},
		},
		{
			ID:      "profile/cap-net-admin",
			Why:     "a capability is added that no process of the container gets: changing the network",
			Weakens: confine.CapabilitiesNotAdded,
			Also:    also,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.CapAdd = []string{"NET_ADMIN"} },
		},
		{
			ID:      "profile/cap-net-admin-host",
			Why:     "root on the host's network may change it",
			Weakens: confine.CapabilitiesNotAdded,
			With:    with,
			Also:    append(slices.Clone(root), confine.UTSPrivate),
			Alone:   true,
			Opens:   append(append(onHost(), channel.NetLinkAlias), channel.ProcessUserRoot, channel.ProcessCapability),
			Apply:   privileged("NET_ADMIN", "host"),

			Hardened: append(filtered(onHost()), channel.ProcessUserRoot, channel.ProcessCapability), // its filter refuses such sockets
		},
		{
			ID:      "profile/deny-netlink-host",
			Why:     "root on the host's network may change it, by sockets that the filter does not refuse",
			Weakens: confine.DenyNetlink,
			With:    append(slices.Clone(with), confine.CapabilitiesNotAdded),
			Also:    append(slices.Clone(root), confine.UTSPrivate),
			Tier:    confine.TierHardened,
			Alone:   true,
			Opens:   append(filtered(onHost()), channel.NetLinkAlias, channel.KernelNetlink, channel.ProcessUserRoot, channel.ProcessCapability),
			Apply: func(c *gateway.Config, s Site) {
				privileged("NET_ADMIN", "host")(c, s)
				c.Profile.Deny.Netlink = false
			},
		},
	}
}
