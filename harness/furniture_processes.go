package harness

import "postern/mutants"

// processFurniture is what mutants of the process channels need beside them.
func processFurniture() map[mutants.Need]piece { return nil }
