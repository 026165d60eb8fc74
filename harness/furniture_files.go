package harness

import "postern/mutants"

// fileFurniture is what mutants of the file channels need beside them.
func fileFurniture() map[mutants.Need]piece { return nil }
