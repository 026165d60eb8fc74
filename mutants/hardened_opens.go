package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// ungrouped are the channels that open with the hardened profile's filter, but
// for those that the Engine's own filter shuts as well.
func ungrouped() []channel.ID {
	return []channel.ID{
		channel.KernelVsock, channel.KernelNetlink, channel.KernelCall32, channel.KernelTrace, channel.KernelMemory,
		channel.KernelMemoryRun, channel.KernelKeys, channel.KernelNamespace, channel.KernelFanotify, channel.KernelLock,
		channel.KernelInotify,
	}
}

// behindFilter are the channels of all profiles that the hardened profile's
// filter shuts whatever else is weakened, where the Engine's lets them through to
// those who have a capability, or to all.
func behindFilter() []channel.ID {
	return []channel.ID{
		channel.FileLockHeld, channel.FileLockRange,
		channel.KernelAudit, channel.KernelBPF, channel.KernelCgroup, channel.KernelCgroupHost, channel.KernelClock,
		channel.KernelCompat, channel.KernelHandle, channel.KernelHandleRead, channel.KernelHostname, channel.KernelKeyring,
		channel.KernelMount, channel.KernelPerf, channel.KernelPrintk, channel.KernelRelease, channel.KernelUserfault,
		channel.KernelUserns,
	}
}

// RemovesFilter reports whether no call of the agent's is refused any more.
func (m Mutant) RemovesFilter() bool {
	return slices.ContainsFunc(m.Controls(), func(c confine.Control) bool {
		return c == confine.SeccompDefault || c == confine.PrivilegedOff
	})
}

// underHardened is what a mutant of every profile opens under the hardened one,
// where it does not say so itself.
func (m Mutant) underHardened() []channel.ID {
	opens := slices.Clone(m.Opens)
	if len(opens) == 0 && m.Weakens == confine.UlimitsExact { // it asks for limits of its own instead of the profile's
		return []channel.ID{channel.ResourceHandles, channel.ResourceLocked, channel.ResourceQueue, channel.ResourceTimer}
	}
	if slices.Contains(opens, channel.ResourceShm) {
		opens = append(opens, channel.ResourceShmMore) // there is room for much more, and so for more
	}
	if m.RemovesFilter() {
		return append(opens, ungrouped()...)
	}
	return filtered(opens)
}

// filtered leaves out what the hardened profile's filter shuts.
func filtered(opens []channel.ID) []channel.ID {
	return slices.DeleteFunc(opens, func(id channel.ID) bool { return slices.Contains(behindFilter(), id) })
}

// unfilteredToo are mutants that the hardened profile's filter makes powerless,
// with the filter removed as well: each of the two shuts the channels alone. Of
// those that open the same there is one.
func unfilteredToo(all []Mutant) []Mutant {
	var out []Mutant
	seen := unfiltered()
	for _, m := range all {
		news := slices.ContainsFunc(m.Opens, func(id channel.ID) bool {
			return slices.Contains(behindFilter(), id) && !slices.Contains(seen, id)
		})
		if !news || m.Tier != "" || m.Hardened != nil || m.RemovesFilter() || m.Under != "" || m.Weakens == confine.HostEngineSeccomp {
			continue
		}
		seen = append(seen, m.Opens...)
		out = append(out, unfilteredAs(m))
	}
	return out
}

func unfilteredAs(m Mutant) Mutant {
	both := m
	both.ID = m.ID + "-unfiltered"
	both.Why = "without a filter for system calls, " + m.Why
	both.Tier = confine.TierHardened
	both.With = append(slices.Clone(m.With), confine.SeccompDefault)
	both.Needs = append(slices.Clone(m.Needs), NeedKeyring)
	both.Alone = m.Alone || slices.Contains(m.Opens, channel.KernelAudit) // the kernel writes only so many such lines
	both.Opens = m.withoutFilter()
	both.Apply = func(c *gateway.Config, s Site) {
		m.Apply(c, s)
		c.Profile.Seccomp = "unconfined"
	}
	return both
}

// withoutFilter is what a mutant opens where no call is refused. Root has not
// the user whose keys are looked at, with few capabilities it may not map users,
// and with those that the Engine gives it has sockets below IP.
func (m Mutant) withoutFilter() []channel.ID {
	opens := slices.Concat(m.Opens, unfiltered(), ungrouped())
	removes := func(c confine.Control) bool { return slices.Contains(m.Controls(), c) }
	if removes(confine.UserNonroot) {
		opens = slices.DeleteFunc(opens, func(id channel.ID) bool {
			few := id == channel.KernelUserns && removes(confine.CapabilitiesNotAdded)
			return few || id == channel.KernelKeyring || id == channel.KernelKeys
		})
		if removes(confine.CapabilitiesDropped) {
			opens = append(opens, channel.KernelFamily, channel.KernelPacket)
		}
	}
	slices.Sort(opens)
	return slices.Compact(opens)
}
