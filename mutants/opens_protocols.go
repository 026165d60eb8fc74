package mutants

import "postern/fixtures/channel"

// hostProtocols lists the channels of protocols over sockets that open with the
// host's network.
func hostProtocols() []channel.ID {
	return nil
}
