package mutants

import (
	"slices"
	"strings"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// hardenedLimits lists the mutants of limits that the reference leaves to the
// Engine.
func hardenedLimits() []Mutant {
	return []Mutant{
		unlimitedIn("descriptors", "nofile", "a process holds as many descriptors open as the Engine allows", channel.ResourceHandles),
		unlimitedIn("queues", "msgqueue", "the agent makes message queues, called as it likes", channel.ResourceQueue),
		unlimitedIn("signals", "sigpending", "the agent makes timers, which the host reads with all that they carry", channel.ResourceTimer),
		unlimitedIn("locked-memory", "memlock", "the agent keeps pages from leaving memory", channel.ResourceLocked),
		{
			ID:      "profile/shm-engine-default",
			Why:     "the shared memory has the size that the Engine gives it",
			Weakens: confine.ShmDefault,
			Opens:   []channel.ID{channel.ResourceShmMore},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.ShmSize = 0 },
		},
		{
			ID:      "profile/ulimit-queues-host",
			Why:     "the agent makes message queues in the host's IPC namespace",
			Weakens: confine.UlimitsExact,
			With:    []confine.Control{confine.IPCPrivate},
			Also:    unlabelled(),
			Opens: []channel.ID{
				channel.ProcessSegment, channel.ProcessQueue, channel.ProcessSemaphore, channel.ProcessShared, channel.ProcessMessage,
				channel.ResourceQueue, channel.ResourceShm, channel.ResourceShmMore,
			},
			Apply: func(c *gateway.Config, _ Site) {
				leaveToEngine(c, "msgqueue")
				c.Profile.IPC = "host"
			},
		},
		{
			ID:      "profile/core-zero-piped",
			Why:     "a limit of zero does not keep the kernel from handing cores to a program: the hardened profile's does",
			Weakens: confine.CoreZero,
			With:    []confine.Control{confine.HostCorePattern},
			Needs:   []Need{NeedCoreHandler},
			Alone:   true,
			Opens:   []channel.ID{channel.KernelCorePipe},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Core = confine.CoreLimit{} },
		},
		{
			ID:      "profile/cpu-unlimited",
			Why:     "the agent has all processors: what it takes of them is a matter of time, and measured as a residual channel",
			Weakens: confine.CPUExact,
			Inert:   "timing-only",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.CPU.Nano = 0 },
		},
	}
}

// unlimitedIn leaves one limit of processes to the Engine.
func unlimitedIn(what, limit, why string, opens channel.ID) Mutant {
	return Mutant{
		ID:      "profile/ulimit-" + what,
		Why:     why,
		Weakens: confine.UlimitsExact,
		Opens:   []channel.ID{opens},
		Apply:   func(c *gateway.Config, _ Site) { leaveToEngine(c, limit) },
	}
}

// leaveToEngine asks for no limit of that name.
func leaveToEngine(c *gateway.Config, limit string) {
	c.Profile.Ulimits = slices.DeleteFunc(c.Profile.Ulimits, func(u string) bool { return strings.HasPrefix(u, limit+"=") })
}
