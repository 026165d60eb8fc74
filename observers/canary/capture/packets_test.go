package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestCapturesShowWhatPacketsCarried(t *testing.T) {
	p := plant(1)
	expectAll(t, p, []hidden{
		{name: "stream out of order, with a segment twice", bytes: captureOf(func(w *wire) {
			w.tcp(segment{seq: 99, flags: 2})
			for _, k := range []int{2, 0, 3, 0, 1, 2} {
				w.tcp(segment{seq: uint32(100 + 8*k), flags: 16, pay: []byte(p.text[8*k : 8*k+8])})
			}
		})},
		{name: "stream across the end of its numbers", bytes: captureOf(func(w *wire) {
			w.tcp(segment{seq: 0xfffffff0, flags: 2})
			for _, k := range []int{1, 0, 2, 3} {
				w.tcp(segment{seq: 0xfffffff1 + uint32(8*k), flags: 16, pay: []byte(p.text[8*k : 8*k+8])})
			}
		})},
		{name: "overlapping segments, of which the later ones count", bytes: captureOf(func(w *wire) {
			w.tcp(segment{seq: 100, flags: 16, pay: bytes.Repeat([]byte{'x'}, 32)})
			for k := range 4 {
				w.tcp(segment{seq: uint32(100 + 8*k), flags: 16, pay: []byte(p.text[8*k : 8*k+8])})
			}
		})},
		{name: "a connection for each part", bytes: captureOf(func(w *wire) {
			for k, s := range parts(p.text, 4) {
				w.tcp(segment{sport: uint16(40000 + 3*k), dport: 80, seq: 5, flags: 16, pay: []byte(s)})
			}
		})},
		{name: "data in SYN", bytes: captureOf(func(w *wire) {
			for k, s := range parts(p.text, 8) {
				w.tcp(segment{sport: uint16(40000 + k), dport: 80, seq: uint32(k * 1000), flags: 2, pay: []byte(s)})
			}
		})},
		{name: "datagrams", bytes: captureOf(func(w *wire) {
			for _, s := range parts(p.text, 8) {
				w.udp(5000, 9, []byte(s))
				w.udp(5001, 10, []byte("other"))
			}
		})},
		{name: "datagrams with a number, out of order", bytes: captureOf(func(w *wire) {
			list := parts(p.text, 8)
			for _, k := range rand.New(rand.NewPCG(1, 1)).Perm(8) {
				w.udp(5000, 9, append(binary.BigEndian.AppendUint16([]byte{0x77}, uint16(k)), list[k]...))
			}
		})},
		{name: "datagrams with a header of twelve bytes", bytes: captureOf(func(w *wire) {
			for k, s := range parts(p.text, 8) {
				w.udp(5000, 9, append([]byte{0x80, 0, 0, byte(k), 1, 2, 3, byte(5 * k), 1, 2, 3, 4}, s...))
			}
		})},
		{name: "datagrams of text with a number", bytes: captureOf(func(w *wire) {
			list := parts(p.text, 8)
			for _, k := range rand.New(rand.NewPCG(1, 2)).Perm(8) {
				w.udp(5000, 9, fmt.Appendf(nil, "%d/8:%s", k+1, list[k]))
			}
		})},
		{name: "fragments out of order", bytes: captureOf(func(w *wire) {
			whole := udpBytes(5000, 9, []byte("xxxx"+p.text))
			for _, k := range []int{2, 0, 1, 3, 4, 5} {
				from := 8 * k
				if from >= len(whole) {
					continue
				}
				to, more := min(len(whole), from+8), uint16(0x2000)
				if to == len(whole) {
					more = 0
				}
				w.ip(datagram{src: 1, dst: 2, id: 77, frag: more | uint16(k), protocol: 17, pay: whole[from:to]})
			}
		})},
		{name: "echo payloads", bytes: captureOf(func(w *wire) {
			for k, s := range parts(p.text, 4) {
				w.ip(datagram{src: 1, dst: 2, protocol: 1, pay: echoBytes(7, uint16(k), []byte(s))})
			}
		})},
		{name: "datagrams in the order of the IP id", bytes: captureOf(func(w *wire) {
			list := parts(p.text, 8)
			for _, k := range rand.New(rand.NewPCG(1, 3)).Perm(8) {
				w.ip(datagram{src: 1, dst: 2, id: 500 + uint16(k), protocol: 17, pay: udpBytes(5000, 9, []byte(list[k]))})
			}
		})},
		{name: "echo payloads in the order of their numbers", bytes: captureOf(func(w *wire) {
			list := parts(p.text, 8)
			for _, k := range rand.New(rand.NewPCG(1, 4)).Perm(8) {
				w.ip(datagram{src: 1, dst: 2, protocol: 1, pay: echoBytes(7, uint16(k), []byte("ping"+list[k]))})
			}
		})},
		{name: "GRE around IP", bytes: captureOf(func(w *wire) {
			for _, s := range parts(p.text, 4) {
				w.clock++
				inner := ip4(datagram{src: 5, dst: 6, options: make([]byte, 4*(w.clock%5)), protocol: 17, pay: udpBytes(1, 2, []byte(s))})
				w.ip(datagram{src: 1, dst: 2, protocol: 47, pay: append([]byte{0, 0, 8, 0}, inner...)})
			}
		})},
		{name: "VXLAN", bytes: captureOf(func(w *wire) {
			for _, s := range parts(p.text, 4) {
				w.clock++
				inner := ethernet(0x0800, ip4(datagram{src: 5, dst: 6, options: make([]byte, 4*(w.clock%5)), protocol: 17, pay: udpBytes(1, 2, []byte(s))}))
				w.udp(4000, 4789, append([]byte{8, 0, 0, 0, 0, 0, 1, 0}, inner...))
			}
		})},
		{name: "padding after the packet", bytes: captureOf(func(w *wire) {
			for _, s := range parts(p.text, 8) {
				w.frame(append(ethernet(0x0800, ip4(datagram{src: 1, dst: 2, id: 9, protocol: 17, pay: udpBytes(1, 2, []byte("abc"))})), s...))
			}
		})},
		{name: "options of IP", bytes: captureOf(func(w *wire) {
			for _, s := range parts(p.text, 8) {
				w.ip(datagram{src: 1, dst: 2, options: []byte(s), protocol: 17, pay: udpBytes(1, 2, []byte("abc"))})
			}
		})},
	})
}

func TestCapturesShowWhatFieldsSay(t *testing.T) {
	p := plant(2)
	each := func(build func(w *wire, k int, c byte)) []byte {
		return captureOf(func(w *wire) {
			for k, c := range p.raw {
				w.udp(53000, 9, []byte("cover"))
				build(w, k, c)
				w.tcp(segment{seq: uint32(100 * k), flags: 16, sport: 1, dport: 2, pay: []byte("cover")})
			}
		})
	}
	expectAll(t, p, []hidden{
		{name: "IP id", bytes: captureOf(func(w *wire) {
			for k := 0; k < 16; k += 2 {
				w.ip(datagram{src: 1, dst: 2, id: binary.BigEndian.Uint16(p.raw[k:]), protocol: 17, pay: udpBytes(1, 2, []byte("abc"))})
			}
		})},
		{name: "low byte of the IP id", bytes: each(func(w *wire, k int, c byte) {
			w.ip(datagram{src: 1, dst: 3, id: uint16(k+1)<<8 | uint16(c), protocol: 17, pay: udpBytes(1, 2, []byte("abc"))})
		})},
		{name: "TTL", bytes: each(func(w *wire, _ int, c byte) {
			w.ip(datagram{src: 1, dst: 3, ttl: c, protocol: 17, pay: udpBytes(1, 2, []byte("abc"))})
		})},
		{name: "DSCP of two bits", bytes: captureOf(func(w *wire) {
			for _, c := range p.raw {
				for k := 6; k >= 0; k -= 2 {
					w.ip(datagram{src: 1, dst: 2, tos: c >> k & 3 << 2, protocol: 17, pay: udpBytes(1, 2, []byte("abc"))})
				}
			}
		})},
		{name: "initial sequence numbers", bytes: captureOf(func(w *wire) {
			for k := 0; k < 16; k += 2 {
				w.tcp(segment{sport: uint16(4000 + k), dport: 80, flags: 2, seq: uint32(binary.BigEndian.Uint16(p.raw[k:]))<<16 | 0x1111})
				w.tcp(segment{sport: uint16(4000 + k), dport: 80, flags: 16, seq: 1, pay: []byte("GET")})
			}
		})},
		{name: "source port above a base", bytes: each(func(w *wire, _ int, c byte) {
			w.tcp(segment{sport: 40000 + uint16(c), dport: 443, flags: 2})
		})},
		{name: "window", bytes: each(func(w *wire, k int, c byte) {
			w.tcp(segment{sport: 50000, dport: 443, flags: 16, seq: uint32(k), window: 256 * uint16(c)})
		})},
		{name: "urgent pointer", bytes: each(func(w *wire, k int, c byte) {
			w.tcp(segment{sport: 50000, dport: 443, flags: 16, seq: uint32(k), urgent: uint16(c)})
		})},
		{name: "length of the payload", bytes: each(func(w *wire, k int, c byte) {
			w.udp(6000, 7000, make([]byte, c))
		})},
		{name: "parity of the length", bytes: captureOf(func(w *wire) {
			for k, bit := range p.bits() {
				n := 40 + 2*(k*7%9)
				if bit {
					n++
				}
				w.udp(6000, 7000, make([]byte, n))
			}
		})},
		{name: "times between packets", bytes: captureOf(func(w *wire) {
			w.udp(6000, 7000, []byte("x"))
			for k, bit := range p.bits() {
				w.clock += 50_000 + uint64(k%7)*1000
				if bit {
					w.clock += 100_000
				}
				w.udp(6000, 7000, []byte("x"))
			}
		})},
		{name: "destination addresses", bytes: each(func(w *wire, _ int, c byte) {
			w.ip(datagram{src: 9, dst: c, protocol: 17, pay: udpBytes(1, 2, []byte("abc"))})
		})},
		{name: "addresses of ARP", bytes: captureOf(func(w *wire) {
			for _, c := range p.raw {
				w.frame(ethernet(0x0806, append([]byte{0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 2, 10, 0, 0, 1}, 0, 0, 0, 0, 0, 0, 10, 0, 0, c)))
				w.udp(1, 2, []byte("cover"))
			}
		})},
		{name: "echo identifier, put in order by its number", bytes: captureOf(func(w *wire) {
			for _, k := range rand.New(rand.NewPCG(3, 1)).Perm(16) {
				w.ip(datagram{src: 1, dst: 2, protocol: 1, pay: echoBytes(uint16(p.raw[k]), uint16(k), []byte("abcdefgh"))})
			}
		})},
		{name: "one flag of two", bytes: captureOf(func(w *wire) {
			for k, bit := range p.bits() {
				flags := byte(16)
				if bit {
					flags = 24
				}
				w.tcp(segment{sport: 50000, dport: 443, flags: flags, seq: uint32(k)})
			}
		})},
		{name: "timestamps of a clock in datagrams", bytes: captureOf(func(w *wire) {
			for k := 0; k < 16; k += 2 {
				b := make([]byte, 48)
				b[0], b[43], b[44], b[45], b[46] = 0x23, byte(9*k), p.raw[k], p.raw[k+1], byte(11*k)
				w.udp(123, 123, b)
			}
		})},
	})
}

func TestCapturesOfEveryKindAreRead(t *testing.T) {
	p := plant(3)
	list := parts(p.text, 4)
	datagrams := make([][]byte, len(list))
	for i, s := range list {
		datagrams[i] = ip4(datagram{src: 1, dst: 2, id: 5, protocol: 17, pay: udpBytes(1, 2, []byte(s))})
	}
	of := func(link uint32, dress func([]byte) []byte) []byte {
		w := newWire(link)
		for _, d := range datagrams {
			w.frame(dress(d))
		}
		return w.Bytes()
	}
	six := func(d []byte) []byte {
		b := make([]byte, 40, 100)
		b[0], b[6], b[7] = 0x60, 17, 64
		binary.BigEndian.PutUint16(b[4:], uint16(len(d)-20))
		return append(b, d[20:]...)
	}
	plain := of(1, func(d []byte) []byte { return ethernet(0x0800, d) })
	expectAll(t, p, []hidden{
		{name: "Ethernet", bytes: plain},
		{name: "after other bytes", bytes: append([]byte("some text before it\n\xa1\xb2"), plain...)},
		{name: "cut off", bytes: append(bytes.Clone(plain), 1, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 200, 0, 0, 0, 1, 2, 3)},
		{name: "VLAN in VLAN", bytes: of(1, func(d []byte) []byte {
			return ethernet(0x88a8, append([]byte{0, 1, 0x81, 0, 0, 2, 8, 0}, d...))
		})},
		{name: "raw", bytes: of(101, func(d []byte) []byte { return d })},
		{name: "loopback", bytes: of(0, func(d []byte) []byte { return append([]byte{2, 0, 0, 0}, d...) })},
		{name: "cooked", bytes: of(113, func(d []byte) []byte { return append(append(make([]byte, 14), 8, 0), d...) })},
		{name: "cooked, second version", bytes: of(276, func(d []byte) []byte {
			return append(append([]byte{8, 0}, make([]byte, 18)...), d...)
		})},
		{name: "IPv6", bytes: of(101, six)},
		{name: "big-endian nanoseconds", bytes: bigEndian(datagrams)},
		{name: "pcapng", bytes: nextGeneration(datagrams, nil)},
		{name: "keyboard", bytes: keyboard(p.text)},
		{name: "names of wireless networks", bytes: beacons(list)},
		{name: "fragments of IPv6, behind an option", bytes: sixFragments(p.text)},
		{name: "comments of pcapng", bytes: nextGeneration(make([][]byte, 4), list)},
		{name: "packets without a capture", bytes: bytes.Join(datagrams, nil)},
	})
}

func bigEndian(list [][]byte) []byte {
	var b bytes.Buffer
	binary.Write(&b, binary.BigEndian, []uint32{0xa1b23c4d, 0x00020004, 0, 0, 65535, 101})
	for i, d := range list {
		binary.Write(&b, binary.BigEndian, []uint32{uint32(i), 5, uint32(len(d)), uint32(len(d))})
		b.Write(d)
	}
	return b.Bytes()
}

func nextGeneration(list [][]byte, comments []string) []byte {
	var b bytes.Buffer
	block := func(kind uint32, s []byte) {
		for len(s)%4 != 0 {
			s = append(s, 0)
		}
		n := uint32(12 + len(s))
		binary.Write(&b, binary.LittleEndian, []uint32{kind, n})
		b.Write(s)
		binary.Write(&b, binary.LittleEndian, n)
	}
	block(0x0a0d0d0a, []byte{0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255})
	block(1, []byte{101, 0, 0, 0, 0, 0, 4, 0})
	for i, d := range list {
		s := binary.LittleEndian.AppendUint32(make([]byte, 8), uint32(i))
		s = binary.LittleEndian.AppendUint32(s, uint32(len(d)))
		s = append(binary.LittleEndian.AppendUint32(s, uint32(len(d))), d...)
		for len(s)%4 != 0 {
			s = append(s, 0)
		}
		if i < len(comments) {
			s = binary.LittleEndian.AppendUint16(append(s, 1, 0), uint16(len(comments[i])))
			s = append(append(s, comments[i]...), 0, 0, 0, 0)
		}
		block(6, s)
	}
	return b.Bytes()
}

func keyboard(text string) []byte {
	w := newWire(220)
	for _, c := range []byte(text) {
		key := byte(0)
		switch {
		case c == '0':
			key = 39
		case c < 'a':
			key = c - '1' + 30
		default:
			key = c - 'a' + 4
		}
		w.frame(append(make([]byte, 64), 0, 0, key, 0, 0, 0, 0, 0))
		w.frame(append(make([]byte, 64), make([]byte, 8)...))
	}
	return w.Bytes()
}

func beacons(list []string) []byte {
	w := newWire(105)
	for _, s := range list {
		b := make([]byte, 36)
		b[0] = 0x80
		w.frame(append(append(append(b, 0, byte(len(s))), s...), 1, 2, 0x82, 0x84))
	}
	return w.Bytes()
}

func sixFragments(text string) []byte {
	w := newWire(101)
	whole := udpBytes(1, 2, []byte(text))
	for _, k := range []int{1, 3, 0, 4, 2} {
		b := make([]byte, 40)
		b[0], b[6], b[7] = 0x60, 0, 64
		more := uint16(1)
		if k == 4 {
			more = 0
		}
		b = append(b, 44, 0, 1, 4, 0, 0, 0, 0)
		b = binary.BigEndian.AppendUint16(append(b, 17, 0), uint16(8*k)|more)
		b = append(append(b, 0, 0, 0, 9), whole[8*k:8*k+8]...)
		binary.BigEndian.PutUint16(b[4:], uint16(len(b)-40))
		w.frame(b)
	}
	return w.Bytes()
}
