package mutants

import (
	"postern/gateway"
	"postern/gateway/confine"
)

func hostCgroups(c *gateway.Config, _ Site) { c.Profile.Cgroupns = "host" }

func hostName(c *gateway.Config, _ Site) { c.Profile.UTS = "host" }

// kernelNamespaces lists the mutants of the namespaces in which nothing can be
// sent, of the place of the cgroup, and of the runtime.
func kernelNamespaces() []Mutant {
	return []Mutant{
		{
			ID:      "profile/uts-host",
			Why:     "the container shares the host's name, which root may change",
			Weakens: confine.UTSPrivate,
			Apply:   hostName,
		},
		{
			ID:      "profile/cgroup-host",
			Why:     "the container sees the host's hierarchy of cgroups",
			Weakens: confine.CgroupPrivate,
			Apply:   hostCgroups,
		},
		{
			ID:      "profile/userns-host",
			Why:     "the container is left out of a user namespace that the Engine may be set to use",
			Weakens: confine.UserNamespace,
			Inert:   "no-user-remap",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Userns = "host" },
		},
		{
			ID:      "profile/cgroup-parent",
			Why:     "the container's cgroup stands below another, whose limits hold beside its own",
			Weakens: confine.CgroupParentDefault,
			Needs:   []Need{NeedParent},
			Inert:   "own-limits-hold",
			Apply:   func(c *gateway.Config, s Site) { c.Profile.CgroupParent = s.CgroupParent },
		},
		{
			ID:      "profile/runtime-named",
			Why:     "another runtime is asked for by name, which runs the same program",
			Weakens: confine.RuntimeDefault,
			Inert:   "same-program",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Runtime = "io.containerd.runc.v2" },
		},
	}
}
