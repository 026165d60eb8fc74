package mutants

// resources lists the mutants of the limits of the sandbox profile.
func resources() []Mutant {
	return nil
}
