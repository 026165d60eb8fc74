package mutants

// Need is something of the host that a mutant's trial sets up beforehand and
// takes away afterwards.
type Need string

// Site is where a trial runs: what stands beside its subject on the host. A
// field is filled where the mutant needs it.
type Site struct {
	Collectors Collectors // in every trial
}

// Collectors are the log servers of a trial, each a host:port on loopback.
type Collectors struct {
	SyslogUDP, SyslogTCP, GELFUDP, GELFTCP, Fluentd, Splunk string
}

// Sample is a site with every field filled, for looking at what mutants do
// without a trial.
func Sample() Site {
	return Site{
		Collectors: Collectors{
			SyslogUDP: "127.0.0.1:1", SyslogTCP: "127.0.0.1:2", GELFUDP: "127.0.0.1:3", GELFTCP: "127.0.0.1:4",
			Fluentd: "127.0.0.1:5", Splunk: "127.0.0.1:6",
		},
	}
}
