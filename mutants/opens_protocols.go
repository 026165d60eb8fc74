package mutants

import "postern/fixtures/channel"

// hostProtocols lists what the host's network opens inside protocols.
func hostProtocols() []channel.ID {
	return []channel.ID{
		channel.HTTPPath, channel.HTTPQuery, channel.HTTPHeader, channel.HTTPCookie, channel.HTTPLogin, channel.HTTPHost,
		channel.HTTPMethod, channel.HTTPBody, channel.HTTPChunk, channel.HTTPTrailer, channel.HTTP2Header, channel.ConnectName,
		channel.ConnectNUL, channel.SOCKSName, channel.SOCKSNUL, channel.WebSocket, channel.TLSName, channel.TLSALPN,
		channel.TLSSession, channel.TLSTicket, channel.TLSBody, channel.DNSOverTLS, channel.DNSOverWeb, channel.SMTPSender,
		channel.FTPUser, channel.SSHVersion, channel.QUICID, channel.QUICBody, channel.NTPTime, channel.SNMPName, channel.Syslog,
		channel.TFTPName, channel.TCPUrgent, channel.TCPDribble, channel.TCPShreds, channel.UDPLength, channel.UDPSource,
		channel.UDPTOS, channel.UDPTTL,
	}
}
