package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// binds lists the mutants of directories of the host in the container.
func binds() []Mutant {
	return []Mutant{
		{
			ID:      "profile/bind-writable",
			Why:     "a directory of the host that any user may write is bound in",
			Weakens: confine.BindsNone,
			Needs:   []Need{NeedShared},
			Opens:   []channel.ID{channel.FileBind},
			Apply:   func(c *gateway.Config, s Site) { bind(c, s.Shared+":/mnt/shared") },
		},
		{
			ID:      "profile/bind-file",
			Why:     "a file of the host that any user may write is bound in",
			Weakens: confine.BindsNone,
			Needs:   []Need{NeedFile},
			Opens:   []channel.ID{channel.FileBindFile},
			Apply:   func(c *gateway.Config, s Site) { bind(c, s.File+":/mnt/file") },
		},
		{
			ID:      "profile/bind-readonly",
			Why:     "a directory of the host is bound in read-only: that shuts neither its sockets nor its pipes",
			Weakens: confine.BindsNone,
			Needs:   []Need{NeedReadable},
			Opens:   []channel.ID{channel.FileSocket, channel.FilePipe},
			Apply:   func(c *gateway.Config, s Site) { bind(c, s.Readable+":/mnt/readable:ro") },
		},
		{
			ID:      "profile/bind-locks",
			Why:     "files of the host are bound in read-only: who can read a file can lock it",
			Weakens: confine.BindsNone,
			Needs:   []Need{NeedLocks},
			Opens:   []channel.ID{channel.FileLockRange, channel.FileLockHeld},
			Apply:   func(c *gateway.Config, s Site) { bind(c, s.Locks+":/mnt/locks:ro") },
		},
		{
			ID:      "profile/bind-owned",
			Why:     "a directory of the host that only root may write is bound in: the agent's user shuts it too",
			Weakens: confine.BindsNone,
			Needs:   []Need{NeedOwned},
			Apply:   func(c *gateway.Config, s Site) { bind(c, s.Owned+":/mnt/owned") },
		},
		{
			ID:      "profile/bind-owned-root",
			Why:     "a directory of the host that only root may write is bound in, and the agent is root",
			Weakens: confine.BindsNone,
			With:    []confine.Control{confine.UserNonroot},
			Also:    rootGroup(),
			Needs:   []Need{NeedOwned},
			Opens:   []channel.ID{channel.FileBindOwned, channel.ProcessUserRoot},
			Apply: func(c *gateway.Config, s Site) {
				bind(c, s.Owned+":/mnt/owned")
				c.Profile.User = "0:0"
			},
		},
		{
			ID:      "profile/bind-owned-setuid",
			Why:     "a directory of the host that only root may write is bound in, and a program of the image makes the agent root",
			Weakens: confine.BindsNone,
			With:    []confine.Control{confine.NoNewPrivileges},
			Needs:   []Need{NeedOwned, NeedSetuidImage},
			Opens:   []channel.ID{channel.FileBindOwned, channel.ProcessUserGained},
			Apply: func(c *gateway.Config, s Site) {
				bind(c, s.Owned+":/mnt/owned")
				c.Image = s.SetuidImage
				c.Profile.NoNewPrivileges = false
			},
		},
	}
}

// daemons lists the mutants of the Engine's socket in the container. What is
// bound in stands in for it: the real one would give the host away.
func daemons() []Mutant {
	return []Mutant{
		{
			ID:      "profile/bind-engine-socket",
			Why:     "the Engine's socket is bound in: its mode shuts it to a user without its group",
			Weakens: confine.BindsNone,
			Needs:   []Need{NeedDaemon},
			Apply:   engineSocket(""),
		},
		{
			ID:      "profile/bind-engine-socket-group",
			Why:     "the Engine's socket is bound in read-only, and the agent is in its group",
			Weakens: confine.BindsNone,
			With:    []confine.Control{confine.GroupsNone},
			Needs:   []Need{NeedDaemon},
			Opens:   []channel.ID{channel.FileEngine, channel.ProcessGroup},
			Apply: func(c *gateway.Config, s Site) {
				engineSocket(":ro")(c, s)
				c.Profile.Groups = append(c.Profile.Groups, s.DaemonGroup)
			},
		},
		{
			ID:      "profile/bind-engine-socket-root",
			Why:     "the Engine's socket is bound in, and the agent is root",
			Weakens: confine.BindsNone,
			With:    []confine.Control{confine.UserNonroot},
			Also:    rootGroup(),
			Needs:   []Need{NeedDaemon},
			Opens:   []channel.ID{channel.FileEngine, channel.ProcessUserRoot},
			Apply: func(c *gateway.Config, s Site) {
				engineSocket("")(c, s)
				c.Profile.User = "0:0"
			},
		},
		{
			ID:      "profile/bind-engine-socket-setuid",
			Why:     "the Engine's socket is bound in, and a program of the image makes the agent root",
			Weakens: confine.BindsNone,
			With:    []confine.Control{confine.NoNewPrivileges},
			Needs:   []Need{NeedDaemon, NeedSetuidImage},
			Opens:   []channel.ID{channel.FileEngine, channel.ProcessUserGained},
			Apply: func(c *gateway.Config, s Site) {
				engineSocket("")(c, s)
				c.Image = s.SetuidImage
				c.Profile.NoNewPrivileges = false
			},
		},
	}
}

func engineSocket(options string) func(*gateway.Config, Site) {
	return func(c *gateway.Config, s Site) { bind(c, s.Daemon+":/docker.sock"+options) }
}

func bind(c *gateway.Config, spec string) { c.Profile.Binds = append(c.Profile.Binds, spec) }
