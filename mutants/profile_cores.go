package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// unlimited lets processes leave cores of any size.
func unlimited(c *gateway.Config, _ Site) { c.Profile.Core = confine.CoreLimit{Soft: -1, Hard: -1} }

// cores lists the mutants of core files.
func cores() []Mutant {
	return []Mutant{
		{
			ID:      "profile/core-unlimited",
			Why:     "a process that crashes leaves its memory where it stands: in memory that the host reads",
			Weakens: confine.CoreZero,
			Opens:   []channel.ID{channel.KernelCoreShm},
			Apply:   unlimited,
		},
		{
			ID:      "profile/core-omitted",
			Why:     "the limit on cores is the Engine's own, up to which the agent may raise its",
			Weakens: confine.CoreZero,
			Opens:   []channel.ID{channel.KernelCoreShm},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Core = confine.CoreLimit{Omit: true} },
		},
		{
			ID:      "profile/core-unlimited-root",
			Why:     "a process that crashes leaves its memory in a writable root filesystem",
			Weakens: confine.CoreZero,
			With:    []confine.Control{confine.RootReadonly},
			Opens:   written(channel.KernelCoreFile, channel.KernelCoreShm),
			Apply: func(c *gateway.Config, s Site) {
				unlimited(c, s)
				c.Profile.ReadonlyRoot = false
			},
		},
	}
}
