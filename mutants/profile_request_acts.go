package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// interference lists what a user of the Engine can do to a container that was
// admitted, which shows at the end of the session. The subject itself is as it
// should be: each is made by what it needs. And what nobody can ask for.
func interference() []Mutant {
	nothing := func(*gateway.Config, Site) {}
	return []Mutant{
		{
			ID:      "request/exec-beside",
			Why:     "the Engine is asked to run a process beside the agent, which prints what the agent left for it",
			Weakens: confine.ExecNone,
			Needs:   []Need{NeedExec},
			Opens:   []channel.ID{channel.EngineExec},
			Apply:   nothing,
		},
		{
			ID:      "request/paused",
			Why:     "the Engine is asked to pause the container and to let it go on",
			Weakens: confine.Unchanged,
			Needs:   []Need{NeedPause},
			Inert:   "goes-on-as-before",
			Apply:   nothing,
		},
		{
			ID:      "request/update-pids",
			Why:     "the Engine is asked to allow more processes, before the agent has anything to say",
			Weakens: confine.Unchanged,
			Also:    []confine.Control{confine.PidsLimit},
			Needs:   []Need{NeedMorePids},
			Opens:   []channel.ID{channel.ResourcePids},
			Apply:   nothing,
		},
		{
			ID:      "request/update-memory",
			Why:     "the Engine is asked to allow more memory, before the agent has anything to say",
			Weakens: confine.Unchanged,
			Also:    []confine.Control{confine.MemoryLimit},
			Needs:   []Need{NeedMoreMemory},
			Opens:   []channel.ID{channel.ResourceMemory},
			Apply:   nothing,
		},
		{
			ID:      "request/image-shell",
			Why:     "the image says something of itself that admission does not know",
			Weakens: confine.Unrecognised,
			Needs:   []Need{NeedShellImage},
			Inert:   "nothing-builds-on-it",
			Apply:   func(c *gateway.Config, s Site) { c.Image = s.ShellImage },
		},
		{
			ID:      "request/mounts-host",
			Why:     "the container shares the host's mount namespace",
			Weakens: confine.MountPrivate,
			Needs:   []Need{NeedHostMounts},
			Inert:   "no-request-for-it",
			Apply:   nothing,
		},
	}
}
