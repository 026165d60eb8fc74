package mutants

import (
	"postern/gateway"
	"postern/gateway/confine"
)

// fixedBefore is why what the operator chooses carries nothing: all of it is
// settled before there is plaintext, and the agent cannot change it.
const fixedBefore Reason = "known-before-the-secret"

// own lists the mutants of fields that the profile has for its own controls.
func own() []Mutant {
	type change = func(p *confine.Profile)
	row := func(name string, weakens confine.Control, inert Reason, why string, apply change) Mutant {
		return Mutant{
			ID: "request/" + name, Why: why, Weakens: weakens, Inert: inert,
			Apply: func(c *gateway.Config, _ Site) { apply(&c.Profile) },
		}
	}
	all := []Mutant{
		row("command", confine.CommandImage, fixedBefore, "the agent is started with a word on its command line",
			func(p *confine.Profile) { p.Command = []string{"/agent", "again"} }),
		row("environment", confine.EnvNone, fixedBefore, "a variable is set in the agent's environment",
			func(p *confine.Profile) { p.Env = []string{"POSTERN_TEST=1"} }),
		row("workdir", confine.WorkDirRoot, fixedBefore, "the agent begins in another directory than the root",
			func(p *confine.Profile) { p.WorkDir = "/scratch" }),
		row("workdir-host", confine.WorkDirRoot, fixedBefore, "the agent begins in a directory that the runtime has open, which may be the host's",
			func(p *confine.Profile) { p.WorkDir = "/proc/self/fd/8" }),
		row("hostname", confine.HostnameDefault, fixedBefore, "the operator names the host",
			func(p *confine.Profile) { p.Hostname = "agent" }),
		row("stop-signal", confine.StopDefault, killedAnyway, "the container would be asked to end by another signal",
			func(p *confine.Profile) { p.Stop.Signal = "SIGHUP" }),
		row("stop-timeout", confine.StopDefault, killedAnyway, "the container would be given an hour to end",
			func(p *confine.Profile) { p.Stop.Timeout = 3600 }),
		row("ulimit-files", confine.UlimitsExact, "fewer-than-before", "the number of open files is limited in another way",
			func(p *confine.Profile) { p.Ulimits = []string{"nofile=4096:4096"} }),
		row("ulimit-locked", confine.UlimitsExact, "memory-limit-counts", "as much memory may be locked as the Engine itself may lock",
			func(p *confine.Profile) { p.Ulimits = []string{"memlock=8388608:8388608"} }),
		row("ulimit-nice", confine.UlimitsExact, "engine-may-not", "the agent may take precedence over every other process",
			func(p *confine.Profile) { p.Ulimits = []string{"nice=40:40"} }),
		row("oom-score", confine.OOMScoreZero, "only-who-dies-first", "others are killed before the agent when the host has no memory left",
			func(p *confine.Profile) { p.OOMScore = 500 }),
		row("oom-spared", confine.OOMScoreZero, "engine-may-not", "the agent is never killed when the host has no memory left",
			func(p *confine.Profile) { p.OOMScore = -1000 }),
		row("cpu-time", confine.CPUExact, ownClock, "the agent gets a CPU and a half", func(p *confine.Profile) { p.CPU.Nano = 15e8 }),
		row("cpu-weight", confine.CPUExact, ownClock, "the agent gets twice the weight", func(p *confine.Profile) { p.CPU.Shares = 2048 }),
		row("cpu-quota", confine.CPUExact, ownClock, "the agent gets half of every tenth of a second",
			func(p *confine.Profile) { p.CPU.Nano, p.CPU.Period, p.CPU.Quota = 0, 100000, 50000 }),
		row("cpu-set", confine.CPUExact, ownClock, "the agent runs on the first CPU alone", func(p *confine.Profile) { p.CPU.Cpus = "0" }),
		row("cpu-nodes", confine.CPUExact, ownClock, "the agent's memory is of the first node alone", func(p *confine.Profile) { p.CPU.Mems = "0" }),
		row("cpu-realtime", confine.CPUExact, ownClock, "the agent may run before every ordinary process",
			func(p *confine.Profile) { p.CPU.RealtimePeriod, p.CPU.RealtimeRuntime = 1000000, 1000 }),
	}
	for i, m := range all {
		switch m.ID { // what depends on who asks: a patched runtime, the Engine's own privileges
		case "request/workdir-host", "request/ulimit-nice", "request/oom-spared", "request/cpu-realtime":
			all[i].Unless = refuses("")
		}
	}
	return all
}

const (
	killedAnyway Reason = "killed-anyway" // the gateway asks nobody to stop
	ownClock     Reason = "no-reader-of-time"
)
