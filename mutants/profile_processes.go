package mutants

// processes lists the mutants of the namespaces and privileges of the sandbox profile.
func processes() []Mutant {
	return nil
}
