package mutants

// names lists the mutants of name resolution in the sandbox profile.
func names() []Mutant {
	return nil
}
