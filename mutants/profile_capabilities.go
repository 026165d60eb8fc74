package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// rooted are the partners of a capability: a process gets it by exec only as
// root, or by a file that has it.
func rooted(more ...confine.Control) []confine.Control {
	return append([]confine.Control{confine.UserNonroot}, more...)
}

// added gives the container capabilities.
func added(capabilities ...string) func(*gateway.Config, Site) {
	return func(c *gateway.Config, _ Site) { c.Profile.CapAdd = capabilities }
}

// asRoot does it to a subject whose agent is root.
func asRoot(apply ...func(*gateway.Config, Site)) func(*gateway.Config, Site) {
	return func(c *gateway.Config, s Site) {
		c.Profile.User = "0:0"
		for _, a := range apply {
			a(c, s)
		}
	}
}

func writableRoot(c *gateway.Config, _ Site) { c.Profile.ReadonlyRoot = false }

// capabilities lists the mutants of capabilities. Alone, one that is added does
// nothing for an agent that is not root; but the Engine's filter lets more
// through for it.
func capabilities() []Mutant {
	none := func(c *gateway.Config, _ Site) { c.Profile.CapDrop = nil }
	return []Mutant{
		{
			ID:      "profile/capabilities-kept",
			Why:     "the Engine's default capabilities stay in the bounding set",
			Weakens: confine.CapabilitiesDropped,
			Apply:   none,
		},
		{
			ID:      "profile/capabilities-kept-root",
			Why:     "root keeps the Engine's default capabilities, and may write to the audit log",
			Weakens: confine.CapabilitiesDropped,
			With:    rooted(),
			Also:    []confine.Control{confine.GroupsNone},
			Opens:   []channel.ID{channel.KernelAudit, channel.ProcessUserRoot, channel.ProcessCapability},
			Apply:   asRoot(none),
		},
		{
			ID:      "profile/capabilities-kept-setuid",
			Why:     "a program in the image becomes root with the Engine's default capabilities",
			Weakens: confine.CapabilitiesDropped,
			With:    []confine.Control{confine.NoNewPrivileges},
			Needs:   []Need{NeedSetuidImage},
			Opens:   []channel.ID{channel.KernelAudit, channel.ProcessUserGained, channel.ProcessCapability},
			Apply: func(c *gateway.Config, s Site) {
				none(c, s)
				c.Profile.NoNewPrivileges = false
				c.Image = s.SetuidImage
			},
		},
		{
			ID:      "profile/capabilities-kept-file",
			Why:     "a program in the image gets the Engine's default capabilities",
			Weakens: confine.CapabilitiesDropped,
			With:    []confine.Control{confine.NoNewPrivileges},
			Needs:   []Need{NeedCapabilityImage},
			Opens:   []channel.ID{channel.KernelAudit, channel.ProcessCapability},
			Apply: func(c *gateway.Config, s Site) {
				none(c, s)
				c.Profile.NoNewPrivileges = false
				c.Image = s.CapabilityImage
			},
		},
		{
			ID:      "profile/cap-sys-admin",
			Why:     "the filter lets the calls of an administrator through, and user namespaces with them",
			Weakens: confine.CapabilitiesNotAdded,
			Also:    []confine.Control{confine.CapabilitiesDropped},
			Opens:   []channel.ID{channel.KernelMount, channel.KernelPerf, channel.KernelUserns},
			Apply:   added("SYS_ADMIN"),
		},
		{
			ID:      "profile/cap-sys-admin-root",
			Why:     "an administrator's capability for root: mounts, cgroups, BPF",
			Weakens: confine.CapabilitiesNotAdded,
			With:    rooted(),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Opens:   []channel.ID{channel.KernelBPF, channel.KernelCgroup, channel.KernelMount, channel.KernelPerf, channel.ProcessUserRoot, channel.ProcessCapability},
			Apply:   asRoot(added("SYS_ADMIN")),
		},
		{
			ID:      "profile/cap-sys-admin-cgroups",
			Why:     "root sees the host's whole hierarchy of cgroups, may write to it, and says what the host runs at their end",
			Weakens: confine.CgroupPrivate,
			With:    rooted(confine.CapabilitiesNotAdded),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Needs:   []Need{NeedHostState},
			Alone:   true,
			Opens: []channel.ID{
				channel.KernelBPF, channel.KernelCgroup, channel.KernelCgroupHost, channel.KernelMount, channel.KernelPerf,
				channel.KernelRelease, channel.ProcessUserRoot, channel.ProcessCapability,
			},
			Apply: asRoot(added("SYS_ADMIN", "DAC_OVERRIDE"), hostCgroups),
		},
		{
			ID:      "profile/cap-sys-admin-uts",
			Why:     "root may name what it shares with the host",
			Weakens: confine.UTSPrivate,
			With:    rooted(confine.CapabilitiesNotAdded),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Needs:   []Need{NeedHostState},
			Alone:   true,
			Opens: []channel.ID{
				channel.KernelBPF, channel.KernelCgroup, channel.KernelHostname, channel.KernelMount, channel.KernelPerf, channel.ProcessUserRoot, channel.ProcessCapability,
			},
			Apply: asRoot(added("SYS_ADMIN"), hostName),
		},
		{
			ID:      "profile/cap-audit-write",
			Why:     "root may write to the audit log",
			Weakens: confine.CapabilitiesNotAdded,
			With:    rooted(),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Opens:   []channel.ID{channel.KernelAudit, channel.ProcessUserRoot, channel.ProcessCapability},
			Apply:   asRoot(added("AUDIT_WRITE")),
		},
		{
			ID:      "profile/cap-syslog",
			Why:     "root may set the level of the host's console",
			Weakens: confine.CapabilitiesNotAdded,
			With:    rooted(),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Needs:   []Need{NeedHostState},
			Alone:   true,
			Opens:   []channel.ID{channel.KernelPrintk, channel.ProcessUserRoot, channel.ProcessCapability},
			Apply:   asRoot(added("SYSLOG")),
		},
		{
			ID:      "profile/cap-sys-time",
			Why:     "root may set the numbers of the host's clock",
			Weakens: confine.CapabilitiesNotAdded,
			With:    rooted(),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Needs:   []Need{NeedHostState},
			Alone:   true,
			Opens:   []channel.ID{channel.KernelClock, channel.ProcessUserRoot, channel.ProcessCapability},
			Apply:   asRoot(added("SYS_TIME")),
		},
		{
			ID:      "profile/cap-sys-nice",
			Why:     "root may give its threads deadlines",
			Weakens: confine.CapabilitiesNotAdded,
			With:    rooted(),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Opens:   []channel.ID{channel.KernelDeadline, channel.ProcessUserRoot, channel.ProcessCapability},
			Apply:   asRoot(added("SYS_NICE")),
		},
		{
			ID:      "profile/cap-read-search",
			Why:     "root may open files of the host's by their handles",
			Weakens: confine.CapabilitiesNotAdded,
			With:    rooted(),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Opens:   []channel.ID{channel.KernelHandleRead, channel.ProcessUserRoot, channel.ProcessCapability},
			Apply:   asRoot(added("DAC_READ_SEARCH")),
		},
		{
			ID:      "profile/cap-read-search-root",
			Why:     "root may open files by their handles, where the Engine's own files in the container are not read-only",
			Weakens: confine.CapabilitiesNotAdded,
			With:    rooted(confine.RootReadonly),
			Also:    []confine.Control{confine.CapabilitiesDropped, confine.GroupsNone},
			Opens:   append(written(channel.FileOwned, channel.FileHosts, channel.FileHostsCopy, channel.KernelHandle, channel.KernelHandleRead), channel.ProcessUserRoot, channel.ProcessCapability),
			Apply:   asRoot(added("DAC_READ_SEARCH"), writableRoot),
		},
	}
}
