package harness

import "postern/mutants"

// kernelFurniture is what mutants of the kernel channels need beside them.
func kernelFurniture() map[mutants.Need]piece { return nil }
