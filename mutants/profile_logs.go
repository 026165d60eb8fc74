package mutants

import (
	"maps"
	"slices"
	"time"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// logs lists the mutants of where the Engine keeps output and what it runs and tells by itself.
func logs() []Mutant {
	return slices.Concat(keptLogs(), sentLogs(), engine())
}

// kept are the channels of a log on this host: the driver's own, or the copy
// that the Engine keeps of what any other driver sends away.
func kept(more ...channel.ID) []channel.ID {
	return append([]channel.ID{channel.LogStderr, channel.LogStdout}, more...)
}

// keptLogs lists the drivers that keep output on this host.
func keptLogs() []Mutant {
	described := map[string]string{"tag": "{{.Name}}/{{.ID}}", "labels": "postern.owner", "env": "PATH"}
	return []Mutant{
		{
			ID:      "profile/log-json-file",
			Why:     "the json-file driver keeps what the agent writes, frames included",
			Weakens: confine.LogNone,
			Opens:   kept(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Log.Driver = "json-file" },
		},
		{
			ID:      "profile/log-json-described",
			Why:     "the json-file driver also writes a tag, labels and the environment beside each line",
			Weakens: confine.LogNone,
			Opens:   kept(),
			Apply: func(c *gateway.Config, _ Site) {
				c.Profile.Log = confine.Log{Driver: "json-file", Options: maps.Clone(described)}
			},
		},
		{
			ID:      "profile/log-local",
			Why:     "the local driver keeps what the agent writes, in a binary file",
			Weakens: confine.LogNone,
			Opens:   kept(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Log.Driver = "local" },
		},
		{
			ID:      "profile/log-default",
			Why:     "the Engine's default driver keeps what the agent writes",
			Weakens: confine.LogNone,
			Opens:   kept(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Log.Driver = "" },
		},
		{
			ID:      "profile/log-none-described",
			Why:     "the driver that keeps nothing is given a tag, which holds fields of the container's alone",
			Weakens: confine.LogNone,
			Inert:   "no-driver",
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Log.Options = maps.Clone(described) },
		},
	}
}

// sentLogs lists the drivers that send output to a log server. The Engine keeps
// a copy, unless it is told not to.
func sentLogs() []Mutant {
	return []Mutant{
		sent("syslog-udp", "syslog", kept(channel.LogSyslogUDPStderr, channel.LogSyslogUDPStdout),
			func(s Site) map[string]string {
				return map[string]string{"syslog-address": "udp://" + s.Collectors.SyslogUDP}
			}),
		sent("syslog-tcp", "syslog", kept(channel.LogSyslogTCPStderr, channel.LogSyslogTCPStdout),
			func(s Site) map[string]string {
				return map[string]string{"syslog-address": "tcp://" + s.Collectors.SyslogTCP}
			}),
		sent("syslog-uncached", "syslog", []channel.ID{channel.LogSyslogUDPStderr, channel.LogSyslogUDPStdout},
			func(s Site) map[string]string {
				return map[string]string{"syslog-address": "udp://" + s.Collectors.SyslogUDP, "cache-disabled": "true"}
			}),
		sent("gelf-udp", "gelf", kept(channel.LogGELFUDPStderr, channel.LogGELFUDPStdout),
			func(s Site) map[string]string {
				return map[string]string{"gelf-address": "udp://" + s.Collectors.GELFUDP}
			}),
		sent("gelf-plain", "gelf", kept(channel.LogGELFUDPStderr, channel.LogGELFUDPStdout),
			func(s Site) map[string]string {
				return map[string]string{"gelf-address": "udp://" + s.Collectors.GELFUDP, "gelf-compression-type": "none"}
			}),
		sent("gelf-zlib", "gelf", kept(channel.LogGELFUDPStderr, channel.LogGELFUDPStdout),
			func(s Site) map[string]string {
				return map[string]string{"gelf-address": "udp://" + s.Collectors.GELFUDP, "gelf-compression-type": "zlib"}
			}),
		sent("gelf-tcp", "gelf", kept(channel.LogGELFTCPStderr, channel.LogGELFTCPStdout),
			func(s Site) map[string]string {
				return map[string]string{"gelf-address": "tcp://" + s.Collectors.GELFTCP}
			}),
		sent("fluentd", "fluentd", kept(channel.LogFluentdStderr, channel.LogFluentdStdout),
			func(s Site) map[string]string { return map[string]string{"fluentd-address": s.Collectors.Fluentd} }),
		batched(sent("splunk", "splunk", kept(channel.LogSplunkStderr, channel.LogSplunkStdout),
			func(s Site) map[string]string {
				return map[string]string{"splunk-url": "http://" + s.Collectors.Splunk, "splunk-token": "postern"}
			})),
	}
}

func sent(name, driver string, opens []channel.ID, options func(Site) map[string]string) Mutant {
	return Mutant{
		ID:      "profile/log-" + name,
		Why:     "the " + driver + " driver sends a log server what the agent writes, as " + name,
		Weakens: confine.LogNone,
		Opens:   opens,
		Apply: func(c *gateway.Config, s Site) {
			c.Profile.Log = confine.Log{Driver: driver, Options: options(s)}
		},
	}
}

// batched is for a driver that sends what it has every five seconds (splunk.go,
// defaultPostMessagesFrequency). It sends when it is closed as well, but a busy
// Engine does not wait for that.
func batched(m Mutant) Mutant {
	m.Linger = 6 * time.Second
	return m
}
