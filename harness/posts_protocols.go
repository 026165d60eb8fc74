package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
)

// protocols starts the observers of what hides in protocols. Much of it ends at
// the listeners that search all bytes, and which stand already.
func (o *opening) protocols() {
	webSocket := open(o, channel.SinkWebSocket, observers.NewWebSocket)
	tls := open(o, channel.SinkTLS, observers.NewTLS)
	shreds := open(o, channel.SinkShreds, observers.NewShreds)
	urgent := open(o, channel.SinkUrgent, observers.NewUrgent)
	outline := open(o, channel.SinkOutline, observers.NewOutline)
	if o.err != nil {
		return
	}
	address := map[channel.Sink]string{
		channel.SinkTCP4: o.posts.addresses[channel.NetTCP4], channel.SinkUDP4: o.posts.addresses[channel.NetUDP4],
		channel.SinkWebSocket: webSocket.Addr(), channel.SinkTLS: tls.Addr(),
		channel.SinkShreds: shreds.Addr(), channel.SinkUrgent: urgent.Addr(), channel.SinkOutline: outline.Addr(),
	}
	for _, c := range channel.Protocols() {
		o.at(address[c.Sink], c.ID)
	}
}
