package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/watchdog"
)

// supervision lists the mutants of what watches over a session. Each shows only
// while the trusted side is hurt: the container must then be seen to live on.
func supervision() []Mutant {
	survives := []channel.ID{channel.HostRunning}
	return []Mutant{
		{
			ID:      "supervision/watchdog-off",
			Why:     "nobody watches: the container survives the bridge's death",
			Weakens: gateway.WatchdogArmed,
			Under:   "bridge-killed",
			Opens:   survives,
			Apply:   func(c *gateway.Config, _ Site) { c.Watch.Off = true },
		},
		{
			ID:      "supervision/ack-unchecked",
			Why:     "the bridge does not miss the answers of a paused watchdog",
			Weakens: watchdog.ControlAck,
			Under:   "watchdog-paused",
			Opens:   survives,
			Apply:   func(c *gateway.Config, _ Site) { c.Watch.Weak.NoAckCheck = true },
		},
		{
			ID:      "supervision/lease-endless",
			Why:     "the watchdog does not miss the heartbeats of a paused bridge",
			Weakens: watchdog.ControlLease,
			Under:   "bridge-paused",
			Opens:   survives,
			Apply:   func(c *gateway.Config, _ Site) { c.Watch.Weak.NoDeadline = true },
		},
		{
			ID:      "supervision/group-shared",
			Why:     "the watchdog dies with the bridge's process group",
			Weakens: watchdog.ControlSession,
			Under:   "group-killed",
			Opens:   survives,
			Apply:   func(c *gateway.Config, _ Site) { c.Watch.Weak.SameGroup = true },
		},
		{
			ID:      "supervision/single-try",
			Why:     "an Engine that fails is not asked to stop the container again",
			Weakens: watchdog.ControlRetries,
			Under:   "stop-fails-twice",
			Opens:   survives,
			Apply:   func(c *gateway.Config, _ Site) { c.Watch.Weak.SingleTry = true },
		},
	}
}
