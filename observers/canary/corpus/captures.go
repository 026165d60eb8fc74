package corpus

import (
	"encoding/binary"
	"slices"
)

// captures are pcap files.
func captures(get func(*scene) []byte) []trick {
	pcap := func(name string, tier int, f func(*scene) []packet) trick {
		return file("pcap-"+name, tier, "pcap", func(s *scene) []byte { return capture(s.amidTraffic(f(s))) })
	}
	// fields makes a packet for each piece of n bytes of the 16.
	fields := func(name string, tier, n int, set func(*packet, []byte)) trick {
		return pcap(name, tier, func(s *scene) []packet {
			var out []packet
			for c := range slices.Chunk(s.raw, n) {
				p := s.packet(17, 9999, []byte("ping"))
				set(&p, c)
				out = append(out, p)
			}
			return out
		})
	}
	payloads := func(name string, tier int, protocol byte, n int, text bool) trick {
		return pcap(name, tier, func(s *scene) []packet {
			body := string(s.raw)
			if text {
				body = s.hex
			}
			first, out := s.packet(protocol, 9999, nil), []packet(nil)
			for _, c := range chunks(body, n) {
				p := first
				p.payload, p.seq = []byte(c), first.seq+uint32(len(out)*n)
				out = append(out, p)
			}
			return out
		})
	}
	return []trick{
		pcap("tcp", 1, func(s *scene) []packet { return s.flow(80, get(s), 1400) }),
		pcap("udp", 1, func(s *scene) []packet { return []packet{s.packet(17, 514, []byte("<13>k "+s.hex))} }),
		pcap("icmp", 1, func(s *scene) []packet {
			return []packet{s.packet(1, 0, append(s.noise(8), append(s.raw, s.noise(32)...)...))}
		}),
		pcap("tcp-base64", 2, func(s *scene) []packet { return s.flow(80, []byte("POST / HTTP/1.1\r\n\r\nd="+b64(s.raw)), 1400) }),
		pcap("tcp-gzip", 2, func(s *scene) []packet {
			return s.flow(80, append([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), gz(s.story())...), 300)
		}),
		pcap("tcp-segments", 3, func(s *scene) []packet { return s.flow(80, get(s), 11) }),
		pcap("tcp-bytes", 3, func(s *scene) []packet { return s.flow(23, get(s), 1) }),
		pcap("tcp-out-of-order", 3, func(s *scene) []packet {
			f := s.flow(80, get(s), 9)
			s.Shuffle(len(f), func(i, j int) { f[i], f[j] = f[j], f[i] })
			return f
		}),
		pcap("tcp-resent", 3, func(s *scene) []packet {
			var out []packet
			for _, p := range s.flow(80, get(s), 9) {
				out = append(out, p, p)
			}
			return out
		}),
		payloads("udp-pieces", 3, 17, 4, true), payloads("udp-digits", 3, 17, 1, true), payloads("udp-raw-pieces", 3, 17, 2, false),
		payloads("icmp-pieces", 3, 1, 8, true), payloads("icmp-bytes", 3, 1, 1, false),
		pcap("udp-numbered-shuffled", 3, func(s *scene) []packet {
			first, out := s.packet(17, 9999, nil), []packet(nil)
			for i, c := range chunks(s.hex, 4) {
				p := first
				p.payload = append([]byte{0, byte(i)}, c...)
				out = append(out, p)
			}
			s.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
			return out
		}),
		pcap("udp-padded", 3, func(s *scene) []packet {
			var out []packet
			for _, c := range []byte(s.hex) {
				p := s.packet(17, 9999, s.noise(20))
				p.payload[7] = c
				out = append(out, p)
			}
			return out
		}),
		file("pcapng-udp", 1, "pcapng", func(s *scene) []byte { return captureNext([]packet{s.packet(17, 514, []byte("k "+s.hex))}) }),
		file("pcapng-segments", 3, "pcapng", func(s *scene) []byte { return captureNext(s.flow(80, get(s), 13)) }),
		file("pcap-gzip", 2, "pcap.gz", func(s *scene) []byte { return gz(capture(s.flow(80, get(s), 1400))) }),
		fields("ip-ids", 4, 2, func(p *packet, c []byte) { p.id = binary.BigEndian.Uint16(c) }),
		fields("source-ports", 4, 2, func(p *packet, c []byte) { p.sport = binary.BigEndian.Uint16(c) }),
		fields("ports", 4, 2, func(p *packet, c []byte) { p.dport = binary.BigEndian.Uint16(c) }),
		fields("ttls", 4, 1, func(p *packet, c []byte) { p.ttl = c[0] }),
		fields("addresses", 4, 4, func(p *packet, c []byte) { p.dst = [4]byte(c) }),
		fields("hosts", 4, 1, func(p *packet, c []byte) { p.dst[3] = c[0] }),
		fields("sequence-numbers", 4, 4, func(p *packet, c []byte) { p.protocol, p.seq = 6, binary.BigEndian.Uint32(c) }),
		fields("hardware-addresses", 4, 4, func(p *packet, c []byte) { p.mac = append([]byte{2, 0}, c...) }),
		fields("lengths", 4, 1, func(p *packet, c []byte) { p.payload = make([]byte, 20+int(c[0])) }),
		fields("times", 4, 1, func(p *packet, c []byte) { p.after = 1000 * (1 + int(c[0])) }),
		pcap("times-bits", 4, func(s *scene) []packet {
			var out []packet
			for _, b := range splitBits(s.raw) {
				p := s.packet(17, 9999, []byte("tick"))
				p.after = 100000 + 400000*int(b)
				out = append(out, p)
			}
			return out
		}),
	}
}
