package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// unfiltered are the channels that the Engine's default filter alone shuts.
func unfiltered() []channel.ID {
	return []channel.ID{
		channel.KernelKeyring, channel.KernelMount, channel.KernelPerf, channel.KernelUserfault, channel.KernelUserns,
	}
}

// systemCalls lists the mutants of the filter for system calls and of the
// security modules.
func systemCalls() []Mutant {
	return []Mutant{
		{
			ID:      "profile/seccomp-unconfined",
			Why:     "no filter for system calls: keys, user namespaces and what they allow, page faults, counters",
			Weakens: confine.SeccompDefault,
			Needs:   []Need{NeedKeyring},
			Opens:   unfiltered(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Seccomp = "unconfined" },
		},
		{
			ID:      "profile/label-disabled",
			Why:     "no label of a security module, where there is one",
			Weakens: confine.LSMDefault,
			Inert:   "no-lsm",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.LSM = []string{"label=disable"} },
		},
		{
			ID:      "profile/apparmor-unconfined",
			Why:     "no profile of AppArmor, where there is one",
			Weakens: confine.LSMDefault,
			Inert:   "no-lsm",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.LSM = []string{"apparmor=unconfined"} },
		},
		{
			ID:      "profile/privileged",
			Why:     "a privileged container has no filter, every capability in its bounding set, and every device",
			Weakens: confine.PrivilegedOff,
			Also: []confine.Control{
				confine.CapabilitiesDropped, confine.LSMDefault, confine.PathsMasked, confine.PathsReadonly, confine.SeccompDefault,
			},
			Needs: []Need{NeedKeyring},
			Opens: unfiltered(),
			Apply: func(c *gateway.Config, _ Site) { c.Profile.Privileged = true },
		},
	}
}
