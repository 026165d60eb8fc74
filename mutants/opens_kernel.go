package mutants

import "postern/fixtures/channel"

// hostEntry lists the channels of unusual entries to the kernel that open with
// the host's network.
func hostEntry() []channel.ID { return []channel.ID{channel.KernelCompat} }
