package mutants

import "slices"

// kernel lists the mutants of what the sandbox profile lets the agent ask of the kernel.
func kernel() []Mutant {
	return slices.Concat(
		systemCalls(), capabilities(), devices(), kernelPaths(), cores(), kernelNamespaces(), hosts(),
	)
}
