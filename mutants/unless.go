package mutants

// Unless is what may become of a mutant's change before it reaches a container.
// Where just that was seen in a trial, the mutant is not applicable there, and
// proves nothing; what was only expected never counts. The zero Unless is for a
// change that must arrive.
type Unless struct {
	Fate  Fate
	Since string // the Engine's API from which on it must arrive; empty where it is no matter of the version
}

// Fate is a closed word for who keeps a change from arriving.
type Fate string

// The fates.
const (
	EngineDrops   Fate = "engine-drops-it"    // made, and not in the Engine's account of what it made
	EngineRefuses Fate = "engine-refuses-it"  // not made, or not started
	ClientKeeps   Fate = "client-keeps-it"    // the client does not send it to so old an Engine
	AgentEnds     Fate = "agent-gets-no-plan" // the agent ends by itself before it has any plaintext
)
