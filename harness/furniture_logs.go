package harness

import "postern/mutants"

// logFurniture is what mutants of the log channels need beside them.
func logFurniture() map[mutants.Need]piece { return nil }
