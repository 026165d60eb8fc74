package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// deniedCalls lists the mutants of the groups of system calls that are no
// sockets.
func deniedCalls() []Mutant {
	return []Mutant{
		{
			ID:      "profile/deny-io-uring",
			Why:     "a ring of requests takes memory that is locked, of which the agent may have none",
			Weakens: confine.DenyIOUring,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.IOUring = false },
		},
		{
			ID:      "profile/deny-io-uring-unlimited",
			Why:     "requests that wait in a ring are shown to the host, marks included",
			Weakens: confine.DenyIOUring,
			With:    []confine.Control{confine.UlimitsExact},
			Opens:   []channel.ID{channel.KernelRing, channel.ResourceLocked},
			Apply: func(c *gateway.Config, _ Site) {
				leaveToEngine(c, "memlock")
				c.Profile.Deny.IOUring = false
			},
		},
		{
			ID:      "profile/deny-trace",
			Why:     "one process of the container's holds another and looks into it",
			Weakens: confine.DenyTrace,
			Opens:   []channel.ID{channel.KernelTrace},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Trace = false },
		},
		{
			ID:      "profile/deny-memfd",
			Why:     "a file of memory alone has any name, and runs in spite of a read-only root",
			Weakens: confine.DenyMemfd,
			Opens:   []channel.ID{channel.KernelMemory, channel.KernelMemoryRun},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Memfd = false },
		},
		{
			ID:      "profile/deny-keyring",
			Why:     "the kernel keeps keys for the agent's user, on the host and in any container",
			Weakens: confine.DenyKeyring,
			Needs:   []Need{NeedKeyring},
			Opens:   []channel.ID{channel.KernelKeyring, channel.KernelKeys},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Keyring = false },
		},
		{
			ID:      "profile/deny-namespaces",
			Why:     "a child is root in a user namespace of its own",
			Weakens: confine.DenyNamespaces,
			Opens:   []channel.ID{channel.KernelNamespace, channel.KernelUserns},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Namespaces = false },
		},
		{
			ID:      "profile/deny-kernel",
			Why:     "the agent watches whole file systems, counts what the processor does and holds up the kernel at its page faults",
			Weakens: confine.DenyKernel,
			Opens:   []channel.ID{channel.KernelFanotify, channel.KernelPerf, channel.KernelUserfault},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Kernel = false },
		},
		{
			ID:      "profile/deny-page-cache",
			Why:     "the agent may ask which pages of the image are cached: that is how it hears others, not how it tells",
			Weakens: confine.DenyPageCache,
			Inert:   "only-hears",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.PageCache = false },
		},
		{
			ID:      "profile/deny-locks",
			Why:     "the offsets of locks on a file of the image stand in a table that every user reads",
			Weakens: confine.DenyLocks,
			Opens:   []channel.ID{channel.KernelLock},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Locks = false },
		},
		{
			ID:      "profile/deny-inotify",
			Why:     "what a watch waits for is shown to the host",
			Weakens: confine.DenyInotify,
			Opens:   []channel.ID{channel.KernelInotify},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Deny.Inotify = false },
		},
	}
}
