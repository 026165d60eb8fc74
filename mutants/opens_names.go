package mutants

import "postern/fixtures/channel"

// hostNames lists the channels of name resolution that open with the host's network.
func hostNames() []channel.ID {
	return []channel.ID{channel.DNSLabel, channel.DNSLabelTCP}
}
