package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// memories lists the mutants of memory filesystems.
//
// One that is asked for is one more place that root of the host reads while the
// container lives; /dev/shm is another, and no control shuts it. Beyond that
// its control keeps what the options can bring: here, programs that run from it,
// though anonymous memory lets the agent run what it likes anyway.
func memories() []Mutant {
	return []Mutant{
		{
			ID:      "profile/tmpfs",
			Why:     "a memory filesystem is mounted: read by root of the host while the container lives, and by nobody after",
			Weakens: confine.TmpfsNone,
			Opens:   []channel.ID{channel.FileMemory},
			Apply:   func(c *gateway.Config, _ Site) { tmpfs(c, "size=1m") },
		},
		{
			ID:      "profile/tmpfs-exec",
			Why:     "the same, and programs may run from it",
			Weakens: confine.TmpfsNone,
			Opens:   []channel.ID{channel.FileMemory, channel.FileProgram},
			Apply:   func(c *gateway.Config, _ Site) { tmpfs(c, "size=16m,exec") },
		},
	}
}

func tmpfs(c *gateway.Config, options string) {
	c.Profile.Tmpfs = map[string]string{"/mnt/memory": options}
}
