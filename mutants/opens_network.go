package mutants

import "postern/fixtures/channel"

// hostNetwork lists the channels of plain sockets that open with the host's network.
func hostNetwork() []channel.ID {
	return []channel.ID{
		channel.NetTCP4, channel.NetTCP6, channel.NetTCP4Child,
		channel.NetUDP4, channel.NetUDP6,
	}
}
