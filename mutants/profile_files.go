package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// files lists the mutants of the file systems of the sandbox profile.
func files() []Mutant {
	return []Mutant{
		{
			ID:      "profile/root-writable",
			Why:     "the root filesystem is writable, and the image has a directory that any user may write",
			Weakens: confine.RootReadonly,
			Opens:   []channel.ID{channel.FileRoot, channel.ResourceDisk},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.ReadonlyRoot = false },
		},
	}
}
