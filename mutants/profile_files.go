package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// files lists the mutants of the file systems of the sandbox profile.
func files() []Mutant {
	return slices.Concat(roots(), binds(), daemons(), volumes(), memories(), images())
}

// written are the channels of a root filesystem that the agent may write, where
// the image has a directory that is open to any user.
func written(more ...channel.ID) []channel.ID {
	return append([]channel.ID{
		channel.FileRoot, channel.FileName, channel.FileDirectory, channel.FileLink,
		channel.FileSize, channel.FileMode, channel.FileModified,
		channel.FileXattr, channel.FileAccessed, channel.FileLinks,
		channel.FileLayer, channel.FileChanges, channel.FileCommit, channel.FileDeleted, channel.ResourceDisk,
	}, more...)
}

// roots lists the mutants of the root filesystem.
func roots() []Mutant {
	owned := written(channel.FileOwned, channel.FileHosts, channel.FileHostsCopy)
	return []Mutant{
		{
			ID:      "profile/root-writable",
			Why:     "the root filesystem is writable, and the image has a directory that any user may write",
			Weakens: confine.RootReadonly,
			Opens:   written(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.ReadonlyRoot = false },
		},
		{
			ID:      "profile/root-writable-by-root",
			Why:     "the root filesystem is writable, and the agent is root: root's directories and the Engine's own files open too",
			Weakens: confine.RootReadonly,
			With:    []confine.Control{confine.UserNonroot},
			Also:    rootGroup(),
			Opens:   append(slices.Clone(owned), channel.ProcessUserRoot),
			Apply: func(c *gateway.Config, _ Site) {
				c.Profile.ReadonlyRoot = false
				c.Profile.User = "0:0"
			},
		},
		{
			ID:      "profile/root-writable-setuid",
			Why:     "the root filesystem is writable, and a program of the image makes the agent root",
			Weakens: confine.RootReadonly,
			With:    []confine.Control{confine.NoNewPrivileges},
			Needs:   []Need{NeedSetuidImage},
			Opens:   append(slices.Clone(owned), channel.ProcessUserGained),
			Apply: func(c *gateway.Config, s Site) {
				c.Image = s.SetuidImage
				c.Profile.ReadonlyRoot = false
				c.Profile.NoNewPrivileges = false
			},
		},
	}
}

// rootGroup is what else admission finds where the agent is root: the Engine
// puts root into its own group once more.
func rootGroup() []confine.Control { return []confine.Control{confine.GroupsNone} }
