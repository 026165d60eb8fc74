package scan

// Stages are all parts of a search.
func Stages() []Part { return parts() }
