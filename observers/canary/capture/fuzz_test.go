package capture

import (
	"slices"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
)

// fuzz opens whatever comes with the stages of these names.
func fuzz(f *testing.F, techniques ...layer.Technique) {
	for _, all := range []map[string][]byte{hostile(600), layertest.Hostile()} {
		for _, b := range all {
			f.Add(b)
		}
	}
	for _, b := range samples() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, s := range Stages() {
			if slices.Contains(techniques, s.Technique) {
				layertest.Stage(t, s, b, layertest.Bounds{Room: 1 << 20, Memory: 4 << 20, Each: 16 << 10})
			}
		}
	})
}

// samples are what the stages read, for a fuzzer to spoil.
func samples() [][]byte {
	p := plant(12)
	question := asking(p.text[:8]+".exfil.test", 1, nil)
	hello := helloBytes(make([]byte, 32), p.raw, "a.exfil.test", []byte{0x13, 1})
	return [][]byte{
		overUDP([][]byte{question, question}), question, overTCP([][]byte{question, question}), hello,
		sixFragments(p.text), nextGeneration([][]byte{ip4(datagram{protocol: 6, pay: tcpBytes(segment{pay: hello})})}, []string{"x"}),
		beacons([]string{p.text}), keyboard(p.text[:4]), huffmanBlock(":path", "/a?b=c", "x", p.text),
		h2frame(1, 5, 1, huffmanBlock(":path", "/a?b=c", "x", p.text)), addressesOf(p),
		[]byte("POST /a/b?c=d HTTP/1.1\r\nTransfer-Encoding: chunked\r\nCookie: a=b; c=d\r\n\r\n4;x=y\r\nabcd\r\n0\r\n\r\n"),
		[]byte("$TTL 5\na IN TXT ( \"\\065\"\n \"b\" )\nb IN TYPE9 \\# 2 abcd\n"),
	}
}

func FuzzCapture(f *testing.F) { fuzz(f, "capture", "packets") }
func FuzzDNS(f *testing.F)     { fuzz(f, "dns-message", "host-names", "addresses", "zone") }
func FuzzHTTP(f *testing.F)    { fuzz(f, "http-message", "http2", "http3", "hpack", "targets") }
func FuzzOther(f *testing.F) {
	fuzz(f, "tls", "dhcp", "ber", "mqtt", "mail-data", "telnet", "chat")
}
