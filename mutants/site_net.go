package mutants

// What the mutants of the network need beside them.
const (
	NeedBridge     Need = "bridge"      // where the Engine's own bridge is, and which ports the agent listens at
	NeedNetwork    Need = "network"     // a network of the Engine's, as a user would make it
	NeedInternal   Need = "internal"    // one without a way out
	NeedMacvlan    Need = "macvlan"     // one that joins the link to the neighbour
	NeedNetPeer    Need = "net-peer"    // another container, on the trial's network if it has one
	NeedBridgePeer Need = "bridge-peer" // another container, on the Engine's own bridge
)

// Names under which the agent looks for others, if anybody tells it an address.
const (
	PeerName    = "peer.postern.test"
	GatewayName = "gateway.postern.test"
)

// Surroundings are the part of a site that has to do with the network.
type Surroundings struct {
	Network     string // name of the network
	Peer        string // id of the other container
	PeerAddress string // its address, if it is on a network
	Gateway     string // the host's address on the Engine's own bridge
	Published   string // the port at which the agent listens for those who come by a published one
}

func sampleSurroundings() Surroundings {
	return Surroundings{Network: "network", Peer: "peer", PeerAddress: "172.17.0.2", Gateway: "172.17.0.1", Published: "20000"}
}
