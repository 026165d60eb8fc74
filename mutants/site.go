package mutants

// Need is something of the host that a mutant's trial sets up beforehand and
// takes away afterwards.
type Need string

// NeedResolver is a network whose containers can ask a name server of ours.
const NeedResolver Need = "resolver"

// Site is where a trial runs: what stands beside its subject on the host. A
// field is filled where the mutant needs it.
type Site struct {
	Network  string // a Docker network without a way out, for NeedResolver
	Resolver string // the host's address in it, where a name server listens
}

// Sample is a site with every field filled, for looking at what mutants do
// without a trial.
func Sample() Site { return Site{Network: "postern-resolver-sample", Resolver: "172.30.0.1"} }
