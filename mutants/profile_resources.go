package mutants

import (
	"strconv"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// resources lists the mutants of the limits of the sandbox profile.
func resources() []Mutant {
	return []Mutant{
		pids("unlimited", 0),
		pids("minus-one", -1),
		pids("raised", 400),
		memory("unlimited", 0),
		memory("raised", 512),
		{
			ID:      "profile/swap-unlimited",
			Why:     "the container may swap as much as it likes, on a host that has no swap device",
			Weakens: confine.SwapNone,
			Inert:   "no-swap",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Swap = -1 },
		},
		{
			ID:      "profile/swap-allowed",
			Why:     "the container may swap a gigabyte, on a host that has no swap device",
			Weakens: confine.SwapNone,
			Inert:   "no-swap",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Swap = 1 << 30 },
		},
		{
			ID:      "profile/oom-kill-disabled",
			Why:     "a container out of memory stalls there instead of losing a process",
			Weakens: confine.OOMKill,
			Opens:   []channel.ID{channel.ResourceOOM},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.OOMKillDisable = true },
		},
		{
			ID:      "profile/oom-kill-unlimited",
			Why:     "nothing is killed for memory, and none is too much",
			Weakens: confine.OOMKill,
			With:    []confine.Control{confine.MemoryLimit},
			Opens:   []channel.ID{channel.ResourceMemory},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.OOMKillDisable, c.Profile.Memory = true, 0 },
		},
		{
			ID:      "profile/shm-large",
			Why:     "the shared memory is larger than the Engine's default",
			Weakens: confine.ShmDefault,
			Opens:   []channel.ID{channel.ResourceShm},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.ShmSize = 96 << 20 },
		},
		{
			ID:      "profile/shm-large-unlimited",
			Why:     "the shared memory is larger than all the memory that the reference allows, and nothing else holds it back",
			Weakens: confine.ShmDefault,
			With:    []confine.Control{confine.MemoryLimit},
			Opens:   []channel.ID{channel.ResourceShm, channel.ResourceMemory},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.ShmSize, c.Profile.Memory = 256<<20, 0 },
		},
	}
}

func pids(how string, n int64) Mutant {
	return Mutant{
		ID:      "profile/pids-" + how,
		Why:     "the limit on processes is " + strconv.FormatInt(n, 10) + ", more than the reference allows",
		Weakens: confine.PidsLimit,
		Opens:   []channel.ID{channel.ResourcePids},
		Apply:   func(c *gateway.Config, _ Site) { c.Profile.Pids = n },
	}
}

func memory(how string, megabytes int64) Mutant {
	return Mutant{
		ID:      "profile/memory-" + how,
		Why:     "the limit on memory is " + strconv.FormatInt(megabytes, 10) + " MiB, more than the reference allows",
		Weakens: confine.MemoryLimit,
		Opens:   []channel.ID{channel.ResourceMemory},
		Apply:   func(c *gateway.Config, _ Site) { c.Profile.Memory = megabytes << 20 },
	}
}
