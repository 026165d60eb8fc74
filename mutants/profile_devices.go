package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// inside is where a device stands in the container.
const inside = ":/dev/postern:rw"

// devices lists the mutants of devices.
func devices() []Mutant {
	return []Mutant{
		{
			ID:      "profile/device-open",
			Why:     "a device of the host's that everybody may write",
			Weakens: confine.DevicesNone,
			Needs:   []Need{NeedDevice},
			Opens:   []channel.ID{channel.KernelDevice},
			Apply:   func(c *gateway.Config, s Site) { c.Profile.Devices = []string{s.Device + inside} },
		},
		{
			ID:      "profile/device-private",
			Why:     "a device of the host's that root and a group may write",
			Weakens: confine.DevicesNone,
			Needs:   []Need{NeedDevice},
			Apply:   privateDevice,
		},
		{
			ID:      "profile/device-private-root",
			Why:     "a device of the host's that root may write, for root",
			Weakens: confine.DevicesNone,
			With:    rooted(),
			Also:    []confine.Control{confine.GroupsNone},
			Needs:   []Need{NeedDevice},
			Opens:   []channel.ID{channel.KernelDevice, channel.ProcessUserRoot},
			Apply:   asRoot(privateDevice),
		},
		{
			ID:      "profile/device-private-group",
			Why:     "a device of the host's that a group may write, and the agent is in it",
			Weakens: confine.DevicesNone,
			With:    []confine.Control{confine.GroupsNone},
			Needs:   []Need{NeedDevice},
			Opens:   []channel.ID{channel.KernelDevice, channel.ProcessGroup},
			Apply: func(c *gateway.Config, s Site) {
				privateDevice(c, s)
				c.Profile.Groups = []string{s.DeviceGroup}
			},
		},
		{
			ID:      "profile/device-kmsg-root",
			Why:     "the kernel log as a device, for root",
			Weakens: confine.DevicesNone,
			With:    rooted(),
			Also:    []confine.Control{confine.GroupsNone},
			Opens:   []channel.ID{channel.KernelKmsg, channel.ProcessUserRoot},
			Apply:   asRoot(func(c *gateway.Config, _ Site) { c.Profile.Devices = []string{"/dev/kmsg:/dev/kmsg:rw"} }),
		},
		{
			ID:      "profile/device-rule",
			Why:     "a device of the host's may be used, but there is no node of it",
			Weakens: confine.DeviceRulesNone,
			Needs:   []Need{NeedDevice},
			Apply:   deviceRule,
		},
		{
			ID:      "profile/device-rule-node",
			Why:     "a device of the host's may be used, and root may make a node of it",
			Weakens: confine.DeviceRulesNone,
			With:    rooted(confine.CapabilitiesNotAdded),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Needs:   []Need{NeedDevice},
			Opens:   []channel.ID{channel.KernelNode, channel.ProcessUserRoot, channel.ProcessCapability},
			Apply:   asRoot(deviceRule, added("MKNOD")),
		},
	}
}

func privateDevice(c *gateway.Config, s Site) {
	c.Profile.Devices = []string{s.DevicePrivate + inside}
}

func deviceRule(c *gateway.Config, s Site) {
	c.Profile.DeviceRules = []string{"b " + s.DeviceNumber + " rwm"}
}
