package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// hardened lists the mutants of what the hardened profile adds to the
// reference. Without one of its groups of system calls, the filter lets those
// through.
func hardened() []Mutant {
	all := slices.Concat(deniedSockets(), deniedCalls(), hardenedLimits())
	for i := range all {
		all[i].Tier = confine.TierHardened
	}
	return all
}

// deniedSockets lists the mutants of the families of sockets.
func deniedSockets() []Mutant {
	return []Mutant{
		{
			ID:      "profile/deny-vsock",
			Why:     "the ports of the virtual machine's sockets belong to no namespace: the host sees which are taken",
			Weakens: confine.DenyVsock,
			Opens:   []channel.ID{channel.KernelVsock},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Vsock = false },
		},
		{
			ID:      "profile/deny-netlink",
			Why:     "netlink sockets have addresses that their owner chooses and the host reads",
			Weakens: confine.DenyNetlink,
			Opens:   []channel.ID{channel.KernelNetlink},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Netlink = false },
		},
		{
			ID:      "profile/deny-packet",
			Why:     "packet sockets are for those who have a capability, which the agent has not",
			Weakens: confine.DenyPacket,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Packet = false },
		},
		{
			ID:      "profile/deny-packet-raw",
			Why:     "root with the capability for raw sockets asks for packets of protocols that the host reads",
			Weakens: confine.DenyPacket,
			With:    []confine.Control{confine.CapabilitiesNotAdded, confine.UserNonroot},
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Opens:   []channel.ID{channel.KernelPacket, channel.ProcessCapability, channel.ProcessUserRoot},
			Apply: func(c *gateway.Config, s Site) {
				rawRoot(c, s)
				c.Profile.Deny.Packet = false
			},
		},
		{
			ID:      "profile/deny-crypto",
			Why:     "sockets into the kernel's ciphers, in a kernel that has none",
			Weakens: confine.DenyCrypto,
			Inert:   "no-kernel-crypto",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Crypto = false },
		},
		{
			ID:      "profile/deny-families",
			Why:     "of the rare families of sockets this kernel has one, for those who have a capability",
			Weakens: confine.DenyFamilies,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Families = false },
		},
		{
			ID:      "profile/deny-families-raw",
			Why:     "root with the capability for raw sockets has one that bypasses the kernel's network",
			Weakens: confine.DenyFamilies,
			With:    []confine.Control{confine.CapabilitiesNotAdded, confine.UserNonroot},
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Opens:   []channel.ID{channel.KernelFamily, channel.ProcessCapability, channel.ProcessUserRoot},
			Apply: func(c *gateway.Config, s Site) {
				rawRoot(c, s)
				c.Profile.Deny.Families = false
			},
		},
		{
			ID:      "profile/deny-compat",
			Why:     "a 32-bit program makes any socket through one call, into whose arguments no filter can look",
			Weakens: confine.DenyCompat,
			Needs:   []Need{NeedCompat},
			Opens:   []channel.ID{channel.KernelCall32},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Compat = false },
		},
	}
}

// rawRoot is what packet sockets and their like demand.
func rawRoot(c *gateway.Config, _ Site) {
	c.Profile.User = "0:0"
	c.Profile.CapAdd = []string{"NET_RAW"}
}
