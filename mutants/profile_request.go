package mutants

// request lists the mutants of every other field of the request that makes a container.
func request() []Mutant {
	return nil
}
