package mutants

// kernel lists the mutants of what the sandbox profile lets the agent ask of the kernel.
func kernel() []Mutant {
	return nil
}
