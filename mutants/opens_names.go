package mutants

import "postern/fixtures/channel"

// hostNames lists what the host's network opens of the dns family. The
// Engine's resolver is not there: it is in the networks that somebody made.
func hostNames() []channel.ID {
	return []channel.ID{
		channel.DNSLabel, channel.DNSLabelTCP, channel.DNSMixed, channel.DNSBase32, channel.DNSBase64, channel.DNSHex,
		channel.DNSDashes, channel.DNSBinary, channel.DNSSpread, channel.DNSShuffled, channel.DNSPTRv4, channel.DNSPTRv6,
		channel.DNSTypeTXT, channel.DNSTypeNULL, channel.DNSTypePrivate, channel.DNSTypeSRV, channel.DNSTypeMX, channel.DNSTypeCNAME,
		channel.DNSTypeSVCB, channel.DNSTypeHTTPS, channel.DNSTypeANY, channel.DNSNumberID, channel.DNSNumberFlags, channel.DNSNumberCounts,
		channel.DNSNumberType, channel.DNSNumberClass, channel.DNSOption, channel.DNSPadding, channel.DNSCookie, channel.DNSSubnet,
		channel.DNSTrailing, channel.DNSUpdate, channel.DNSNotify, channel.DNSResponse,
	}
}
