package harness

import "postern/mutants"

// resourceFurniture is what mutants of the resource channels need beside them.
func resourceFurniture() map[mutants.Need]piece { return nil }
