package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/confine"
)

// processes lists the mutants of the namespaces and privileges of the sandbox profile.
func processes() []Mutant {
	return slices.Concat(pidNamespaces(), ipcNamespaces(), users(), privileges(), sessions())
}

// victims are the channels to a process of the host that has the agent's user,
// open to whoever sees it.
func victims() []channel.ID {
	return []channel.ID{
		channel.ProcessSignalValue, channel.ProcessSignalNumber, channel.ProcessLimit,
		channel.ProcessRoot, channel.ProcessDirectory, channel.ProcessDescriptor,
		channel.ProcessTrace, channel.ProcessMemory,
	}
}

// The Engine takes its security labels off a container that shares a namespace
// with the host.
func unlabelled() []confine.Control { return []confine.Control{confine.LSMDefault} }

func pidNamespaces() []Mutant {
	return []Mutant{
		{
			ID:      "profile/pid-host",
			Why:     "the container sees the host's processes, and one of them has its user",
			Weakens: confine.PIDPrivate,
			Also:    unlabelled(),
			Opens:   victims(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.PID = "host" },

			Hardened: slices.DeleteFunc(victims(), func(id channel.ID) bool { return id == channel.ProcessTrace }),
		},
		{
			ID:      "profile/pid-host-unfiltered",
			Why:     "beside that, no system call is filtered: memory is written and descriptors are taken",
			Weakens: confine.PIDPrivate,
			With:    []confine.Control{confine.SeccompDefault},
			Also:    unlabelled(),
			Needs:   []Need{NeedKeyring},
			Opens: append(victims(), channel.ProcessTaken, channel.ProcessMemoryCall,
				channel.KernelKeyring, channel.KernelMount, channel.KernelPerf, channel.KernelUserfault, channel.KernelUserns),
			Apply: func(c *gateway.Config, _ Site) { c.Profile.PID, c.Profile.Seccomp = "host", "unconfined" },
		},
		{
			ID:      "profile/pid-peer",
			Why:     "the container shares the processes of another container that has its user",
			Weakens: confine.PIDPrivate,
			Needs:   []Need{NeedPeer},
			Opens: []channel.ID{
				channel.ProcessArgv, channel.ProcessName, channel.ProcessEnvironment,
				channel.ProcessPeerFile, channel.ProcessPeerOutput,
			},
			Apply: func(c *gateway.Config, s Site) { c.Profile.PID, c.Profile.User = "container:"+s.Peer, s.PeerUser },
		},
	}
}

func ipcNamespaces() []Mutant {
	return []Mutant{
		{
			ID:      "profile/ipc-host",
			Why:     "the container shares the host's IPC namespace",
			Weakens: confine.IPCPrivate,
			Also:    unlabelled(),
			Opens: []channel.ID{
				channel.ProcessSegment, channel.ProcessQueue, channel.ProcessSemaphore,
				channel.ProcessMessage, channel.ProcessShared, channel.ResourceShm,
			},
			Apply: func(c *gateway.Config, _ Site) { c.Profile.IPC = "host" },
			Hardened: []channel.ID{
				channel.ProcessSegment, channel.ProcessQueue, channel.ProcessSemaphore, channel.ProcessShared,
				channel.ResourceShm, channel.ResourceShmMore, // the host's has as much room as the host
			},
		},
		{
			ID:      "profile/ipc-peer",
			Why:     "the container joins the IPC namespace of another container",
			Weakens: confine.IPCPrivate,
			Needs:   []Need{NeedPeer},
			Opens:   []channel.ID{channel.ProcessPeerIPC},
			Apply:   func(c *gateway.Config, s Site) { c.Profile.IPC = "container:" + s.Peer },
		},
		{
			ID:      "profile/ipc-shareable",
			Why:     "another container may join the IPC namespace, and does",
			Weakens: confine.IPCPrivate,
			Opens:   []channel.ID{channel.ProcessPeerIPC},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.IPC = "shareable" },
		},
	}
}

// users lists the mutants of who the agent is. Of root, admission knows no
// group that would be its own.
func users() []Mutant {
	ungrouped := []confine.Control{confine.GroupsNone}
	root := []channel.ID{channel.ProcessUserRoot}
	return []Mutant{
		{
			ID:      "profile/user-root",
			Why:     "the agent runs as root, without any capability",
			Weakens: confine.UserNonroot,
			Also:    ungrouped,
			Opens:   root,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.User = "0:0" },
		},
		{
			ID:      "profile/user-omitted",
			Why:     "the user is left to the Engine and the image: root",
			Weakens: confine.UserNonroot,
			Also:    ungrouped,
			Opens:   root,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.User = "" },
		},
		{
			ID:      "profile/user-root-capable",
			Why:     "beside that, the Engine's default capabilities are kept",
			Weakens: confine.UserNonroot,
			With:    []confine.Control{confine.CapabilitiesDropped},
			Also:    ungrouped,
			Opens:   []channel.ID{channel.ProcessUserRoot, channel.ProcessCapability, channel.KernelAudit},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.User, c.Profile.CapDrop = "0:0", nil },
		},
		{
			ID:      "profile/groups-added",
			Why:     "the agent is in a group beside its own",
			Weakens: confine.GroupsNone,
			Opens:   []channel.ID{channel.ProcessGroup},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Groups = []string{"4242"} },
		},
	}
}

// privileges lists the mutants of what the agent may become by executing a
// file. The images are fit for the reference but for that file.
func privileges() []Mutant {
	return []Mutant{
		{
			ID:      "profile/new-privileges",
			Why:     "executing a set-user-id file makes the agent root",
			Weakens: confine.NoNewPrivileges,
			Needs:   []Need{NeedSetuidImage},
			Opens:   []channel.ID{channel.ProcessUserGained},
			Apply: func(c *gateway.Config, s Site) {
				c.Profile.NoNewPrivileges, c.Image = false, s.SetuidImage
			},
		},
		{
			ID:      "profile/new-privileges-file-capable",
			Why:     "executing a file with capabilities gives them to the agent, of the Engine's defaults",
			Weakens: confine.NoNewPrivileges,
			With:    []confine.Control{confine.CapabilitiesDropped},
			Needs:   []Need{NeedCapabilityImage},
			Opens:   []channel.ID{channel.ProcessCapability, channel.KernelAudit},
			Apply: func(c *gateway.Config, s Site) {
				c.Profile.NoNewPrivileges, c.Profile.CapDrop, c.Image = false, nil, s.CapabilityImage
			},
		},
		{
			ID:      "profile/new-privileges-root-capable",
			Why:     "executing a set-user-id file makes the agent root with the Engine's default capabilities",
			Weakens: confine.NoNewPrivileges,
			With:    []confine.Control{confine.CapabilitiesDropped},
			Needs:   []Need{NeedSetuidImage},
			Opens:   []channel.ID{channel.ProcessUserGained, channel.ProcessCapability, channel.KernelAudit},
			Apply: func(c *gateway.Config, s Site) {
				c.Profile.NoNewPrivileges, c.Profile.CapDrop, c.Image = false, nil, s.SetuidImage
			},
		},
	}
}

// lost is how a session ends in which output is not what the gateway reads.
const lost = string(bridge.StreamLost)

// sessions lists the mutants of what the container's first process is given.
func sessions() []Mutant {
	return []Mutant{
		{
			ID:      "profile/init",
			Why:     "the Engine's init is the first process, bound into the container",
			Weakens: confine.InitOff,
			Inert:   "killed-by-cgroup", // whoever is first, the end of it is the end of all
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Init = true },
		},
		{
			ID:      "profile/tty",
			Why:     "a terminal takes the place of the pipes, and echoes the initial frame",
			Weakens: confine.TTYOff,
			Ends:    lost,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.TTY = true },
		},
		{
			ID:      "profile/tty-logged",
			Why:     "beside that, the Engine keeps what the terminal echoes",
			Weakens: confine.TTYOff,
			With:    []confine.Control{confine.LogNone},
			Ends:    lost,
			Opens:   []channel.ID{channel.ProcessTerminal},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.TTY, c.Profile.Log.Driver = true, "json-file" },
		},
	}
}
