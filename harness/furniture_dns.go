package harness

import "postern/mutants"

// dnsFurniture is what mutants of the dns channels need beside them.
func dnsFurniture() map[mutants.Need]piece { return nil }
