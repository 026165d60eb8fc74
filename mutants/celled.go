package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// Why a mutant of the registry is not run where bubblewrap confines the agent.
const (
	LackedByBubblewrap Reason = "bubblewrap-has-none"   // it has no means to weaken the control, or none to have it in place
	FaultsNeedEngine   Reason = "faults-need-engine"    // it shows under a fault that only a container is put to
	UnseenInCells      Reason = "unseen-without-engine" // the control is in place, and no observer sees it removed
)

// Celled lists the mutants of the subject where bubblewrap confines the agent.
// Those of the ceilings and of the guard are the same in every sandbox.
func Celled() []Mutant { return slices.Concat(Cells(), rules(), guarded()) }

// Cells lists the mutants of the cell itself, which bubblewrap makes: each leaves
// out one option of bwrap, or asks for one more.
func Cells() []Mutant {
	return []Mutant{
		celled("network-host", "the network is the host's", confine.NetworkNone, onHostFromCell(),
			func(p *confine.Profile) { p.Network = "host" }),
		celled("root-writable", "the root directory is writable", confine.RootReadonly,
			[]channel.ID{channel.FileRoot, channel.FileName, channel.FileDirectory, channel.FileLink},
			func(p *confine.Profile) { p.ReadonlyRoot = false }),
		celled("pid-host", "processes are the host's", confine.PIDPrivate,
			[]channel.ID{channel.ProcessLimit, channel.ProcessSignalNumber, channel.ProcessSignalValue},
			func(p *confine.Profile) { p.PID = "host" }),
		celled("ipc-host", "the IPC namespace is the host's", confine.IPCPrivate,
			[]channel.ID{channel.ProcessMessage, channel.ProcessQueue, channel.ProcessSegment, channel.ProcessSemaphore},
			func(p *confine.Profile) { p.IPC = "host" }),
		celled("user-root", "the agent is root on the host", confine.UserNonroot, []channel.ID{channel.ProcessUserRoot},
			func(p *confine.Profile) { p.User = "" }),
		celled("groups", "the agent is in a group of the host's", confine.GroupsNone, []channel.ID{channel.ProcessGroup},
			func(p *confine.Profile) { p.Groups = []string{"4"} }),
		celled("capabilities", "every capability is kept, in the user namespace of the cell", confine.CapabilitiesDropped,
			[]channel.ID{channel.ProcessCapability},
			func(p *confine.Profile) { p.CapDrop = nil }),
		celled("seccomp-unconfined", "there is no filter of system calls", confine.SeccompDefault,
			[]channel.ID{channel.KernelMount, channel.KernelPerf, channel.KernelUserfault, channel.KernelUserns},
			func(p *confine.Profile) { p.Seccomp = "unconfined" }),
		celled("paths-writable", "the kernel's settings are mounted writable, and belong to root", confine.PathsReadonly, nil,
			func(p *confine.Profile) { p.ReadonlyPaths = false }),
		{
			ID:      "bubblewrap/paths-writable-root",
			Why:     "the kernel's settings are mounted writable, for root of the host without any capability",
			Weakens: confine.PathsReadonly,
			With:    []confine.Control{confine.UserNonroot},
			Needs:   []Need{NeedHostState},
			Alone:   true,
			Opens:   []channel.ID{channel.KernelSysctl, channel.ProcessUserRoot},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.ReadonlyPaths, c.Profile.User = false, "" },
		},
		bound("bind-writable", "a directory of the host that any user may write is bound in", NeedShared, []channel.ID{channel.FileBind},
			func(s Site) string { return s.Shared + ":/mnt/shared" }),
		bound("bind-readonly", "a directory of the host is bound in read-only: that shuts neither its sockets nor its pipes",
			NeedReadable, []channel.ID{channel.FileSocket, channel.FilePipe},
			func(s Site) string { return s.Readable + ":/mnt/readable:ro" }),
	}
}

func celled(name, why string, weakens confine.Control, opens []channel.ID, apply func(*confine.Profile)) Mutant {
	return Mutant{
		ID: "bubblewrap/" + name, Why: why, Weakens: weakens, Opens: opens,
		Apply: func(c *gateway.Config, _ Site) { apply(&c.Profile) },
	}
}

func bound(name, why string, need Need, opens []channel.ID, spec func(Site) string) Mutant {
	return Mutant{
		ID: "bubblewrap/" + name, Why: why, Weakens: confine.BindsNone, Needs: []Need{need}, Opens: opens,
		Apply: func(c *gateway.Config, s Site) { bind(c, spec(s)) },
	}
}

// onHostFromCell lists what opens with the host's network. There is no bridge
// of an Engine's beside a cell, and its filter lets no 32-bit program make calls.
func onHostFromCell() []channel.ID {
	return slices.DeleteFunc(onHost(), func(id channel.ID) bool {
		return slices.Contains(slices.Concat(segment(), hostEntry()), id)
	})
}

// NotCelled lists, for each control that no mutant of a cell weakens, one of the
// registry's, and why it is not run there.
func NotCelled() map[string]Reason {
	shown := map[confine.Control]bool{}
	for _, m := range Celled() {
		for _, c := range m.Controls() {
			shown[c] = true
		}
	}
	not := map[string]Reason{}
	for _, m := range Of(confine.TierReference) {
		if shown[m.Weakens] || len(m.With) > 0 {
			continue
		}
		shown[m.Weakens] = true
		switch {
		case m.Under != "":
			not[m.ID] = FaultsNeedEngine
		case slices.Contains(inCells(), m.Weakens):
			not[m.ID] = UnseenInCells
		default:
			not[m.ID] = LackedByBubblewrap
		}
	}
	return not
}

// inCells are the controls that a cell has in place and admission compares there,
// which no mutant of a cell shows to be needed.
func inCells() []confine.Control {
	return []confine.Control{
		confine.TmpfsNone, confine.CapabilitiesNotAdded, confine.CoreZero, confine.PidsLimit, confine.MemoryLimit, confine.SwapNone,
		confine.UTSPrivate, confine.CgroupPrivate, confine.UserNamespace, confine.MountPrivate, confine.MountsNone, confine.PathsMasked,
		confine.HostNativeLinux, confine.HostCorePattern, confine.HostCoreLimit, confine.EnvNone, confine.WorkDirRoot, confine.HostnameDefault, confine.UlimitsExact, confine.OOMScoreZero,
	}
}
