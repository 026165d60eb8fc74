package mutants

// Need is something of the host that a mutant's trial sets up beforehand and
// takes away afterwards.
type Need string

// Site is where a trial runs: what stands beside its subject on the host. A
// field is filled where the mutant needs it.
type Site struct {
	Net Surroundings
}

// Sample is a site with every field filled, for looking at what mutants do
// without a trial.
func Sample() Site {
	return Site{
		Net: sampleSurroundings(),
	}
}
