package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// kernelPaths lists the mutants of the kernel's own files in the container.
func kernelPaths() []Mutant {
	writable := func(c *gateway.Config, _ Site) { c.Profile.ReadonlyPaths = false }
	return []Mutant{
		{
			ID:      "profile/paths-writable",
			Why:     "the kernel's settings are mounted writable, and belong to root",
			Weakens: confine.PathsReadonly,
			Apply:   writable,
		},
		{
			ID:      "profile/paths-writable-root",
			Why:     "the kernel's settings are mounted writable, for root without any capability",
			Weakens: confine.PathsReadonly,
			With:    rooted(),
			Also:    []confine.Control{confine.GroupsNone},
			Needs:   []Need{NeedHostState},
			Alone:   true,
			Opens:   []channel.ID{channel.KernelSysctl, channel.ProcessUserRoot},
			Apply:   asRoot(writable),
		},
		{
			ID:      "profile/paths-writable-setuid",
			Why:     "the kernel's settings are mounted writable, and a program in the image becomes root",
			Weakens: confine.PathsReadonly,
			With:    []confine.Control{confine.NoNewPrivileges},
			Needs:   []Need{NeedHostState, NeedSetuidImage},
			Alone:   true,
			Opens:   []channel.ID{channel.KernelSysctl, channel.ProcessUserGained},
			Apply: func(c *gateway.Config, s Site) {
				writable(c, s)
				c.Profile.NoNewPrivileges = false
				c.Image = s.SetuidImage
			},
		},
		{
			ID:      "profile/paths-unmasked",
			Why:     "what the Engine hides of the kernel's files shows, and little of it can be written",
			Weakens: confine.PathsMasked,
			Inert:   "nothing-to-write",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.MaskedPaths = false },
		},
		{
			ID:      "profile/sysctl-network",
			Why:     "a setting of a network of its own, in which there is nobody else",
			Weakens: confine.SysctlsNone,
			Inert:   "own-namespace",
			Apply: func(c *gateway.Config, _ Site) {
				c.Profile.Sysctls = map[string]string{"net.ipv4.ip_unprivileged_port_start": "0"}
			},
		},
		{
			ID:      "profile/sysctl-messages",
			Why:     "a setting of message queues of its own",
			Weakens: confine.SysctlsNone,
			Inert:   "own-namespace",
			Apply: func(c *gateway.Config, _ Site) {
				c.Profile.Sysctls = map[string]string{"fs.mqueue.msg_max": "64"}
			},
		},
	}
}
