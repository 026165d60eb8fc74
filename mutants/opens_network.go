package mutants

import (
	"slices"

	"postern/fixtures/channel"
)

// onHost lists all that opens with the host's network.
func onHost() []channel.ID {
	return slices.Concat(hostNetwork(), hostProtocols(), hostNames(), hostEntry())
}

// hostNetwork lists the channels of plain sockets that open with the host's
// network. A datagram to a link reaches the members of its groups on the host
// itself.
func hostNetwork() []channel.ID {
	return slices.Concat([]channel.ID{
		channel.NetTCP4, channel.NetTCP6, channel.NetTCP4Child, channel.NetTCP4Grandchild,
		channel.NetUDP4, channel.NetUDP6,
		channel.NetAbstract, channel.NetAbstractName,
		channel.NetNeighbour,
	}, segment())
}

// segment lists those that open with any bridge of this host's.
func segment() []channel.ID {
	return []channel.ID{
		channel.NetGatewayTCP4, channel.NetGatewayUDP4,
		channel.NetSourcePort, channel.NetLength,
		channel.NetListenTCP4, channel.NetListenUDP4,
		channel.NetMDNS, channel.NetLLMNR, channel.NetSSDP,
		channel.NetBroadcast, channel.NetDHCP,
	}
}

// overBridge lists those that open with the Engine's own bridge, and what opens
// beside them.
func overBridge(more ...channel.ID) []channel.ID {
	return slices.Concat(segment(), []channel.ID{channel.NetICMP, channel.NetNeighbour}, more)
}

// beside lists those by which another container is reached over a network.
func beside() []channel.ID { return []channel.ID{channel.NetPeerTCP4, channel.NetPeerNamed} }
