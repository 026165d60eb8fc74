package harness

import "postern/mutants"

// netFurniture is what mutants of the net channels need beside them.
func netFurniture() map[mutants.Need]piece { return nil }
