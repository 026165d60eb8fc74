// Package capture takes apart what a network carried: captures of packets, DNS
// messages and the texts that list host names, HTTP, TLS and a few protocols
// beside them. It yields reassembled streams and payloads, and the same field
// over packets, messages or names, in the order in which they arrived and in
// the orders that their numbers ask for.
//
// It promises time linear in the input with a fixed factor, output within the
// Room, and the most plausible views first. Fields over units are followed for
// the first unitsMost of each flow, in the selections that this package lists;
// those bounds are part of what a selection is, and only a full Room, a capture
// that is cut off or too many views are reported. It holds no keys: TLS, QUIC
// and tunnels under a cipher stay closed.
package capture

import "postern/observers/canary/layer"

// Stages are those of the package, the most exact first.
func Stages() []layer.Stage {
	return []layer.Stage{
		stage("capture", openCapture),
		stage("packets", openPackets),
		stage("dns-message", openMessages),
		stage("tls", openTLS),
		stage("http-body", openBodies),
		stage("http-message", openHTTP),
		stage("http2", openHTTP2),
		stage("http3", openHTTP3),
		stage("hpack", openHPACK),
		stage("dhcp", openDHCP),
		stage("ber", openBER),
		stage("mqtt", openMQTT),
		stage("mail-data", openMail),
		stage("telnet", openTelnet),
		stage("chat", openChat),
		stage("host-names", openHosts),
		stage("addresses", openAddresses),
		stage("zone", openZone),
		stage("targets", openTargets),
	}
}

// stage gives open an emitter in place of the room and the func.
func stage(t layer.Technique, open func(b []byte, e *emitter)) layer.Stage {
	return layer.Stage{Technique: t, Open: func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		if len(b) >= viewLeast {
			open(b, newEmitter(t, room, yield))
		}
	}}
}
