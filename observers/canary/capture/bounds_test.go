package capture

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"postern/observers/canary/layer"
)

// openAll opens with every stage, and sums what they yield.
func openAll(tb testing.TB, b []byte, room int) (sum int) {
	tb.Helper()
	for _, s := range Stages() {
		r := layer.NewRoom(room)
		n := 0
		s.Open(b, r, func(v layer.View) bool {
			n += len(v.Bytes)
			if v.Offset < 0 || v.Offset > len(b) {
				tb.Errorf("%s: offset %d of %d", s.Technique, v.Offset, len(b))
			}
			return true
		})
		if n > room {
			tb.Errorf("%s: %d bytes in a room of %d", s.Technique, n, room)
		}
		sum += n
	}
	return sum
}

func TestARoomThatIsTooSmallIsReported(t *testing.T) {
	p := plant(10)
	b := captureOf(func(w *wire) {
		for _, s := range parts(p.text, 8) {
			w.udp(1, 2, []byte(s))
		}
	})
	r := layer.NewRoom(16)
	Stages()[0].Open(b, r, func(layer.View) bool { return true })
	if !r.Spent() {
		t.Error("a full room was not reported")
	}
}

func TestACaptureThatIsCutOffIsReported(t *testing.T) {
	b := captureOf(func(w *wire) { w.udp(1, 2, []byte("hello hello")); w.udp(1, 2, []byte("hello hello")) })
	for _, c := range []struct {
		cut  int
		want bool
	}{{0, false}, {5, true}} {
		r := layer.NewRoom(1 << 20)
		Stages()[0].Open(b[:len(b)-c.cut], r, func(layer.View) bool { return true })
		if r.Spent() != c.want {
			t.Errorf("cut by %d: reported %v", c.cut, r.Spent())
		}
	}
}

func TestStagesStopWhenTheyAreTold(t *testing.T) {
	p := plant(11)
	b := captureOf(func(w *wire) {
		for _, c := range p.raw {
			w.udp(uint16(c), 53, asking("www.exfil.test", 1, nil))
		}
	})
	n := 0
	Stages()[0].Open(b, layer.NewRoom(testRoom), func(layer.View) bool { n++; return n < 3 })
	if n != 3 {
		t.Errorf("%d views after the third was refused", n-3)
	}
}

// hostile inputs are those where a careless search is quadratic, or yields far
// more than it read.
func hostile(size int) map[string][]byte {
	repeat := func(s string) []byte { return bytes.Repeat([]byte(s), size/len(s)+1)[:size] }
	r := rand.New(rand.NewPCG(1, 9))
	noise := make([]byte, size)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	return map[string][]byte{
		"zeros": make([]byte, size), "noise": noise,
		"dots": repeat("."), "labels": repeat("a."), "long label": repeat("a"), "names": repeat("aa.bb.cc\n"),
		"versions": repeat("HTTP/1."), "spaced versions": repeat(" HTTP/1."), "requests": repeat("GET / HTTP/1.1\r\nUpgrade: x\r\n\r\n"),
		"schemes": repeat("http://"), "magics": repeat("\xd4\xc3\xb2\xa1\x02\x00\x04\x00"), "sections": repeat(sectionHeader),
		"sequences": repeat("0\x80"), "nested": repeat("0\x84\x00"), "pointers": repeat("\xc0\x0c"), "question": repeat("\x00\x01\x00\x00\x00\x00\x00"),
		"telnet": repeat("\xff\xfa"), "dhcp": repeat(dhcpMagic), "dhcp messages": repeat("\x01" + strings.Repeat("\x00", 239) + dhcpMagic),
		"mail": repeat("\r\nDATA\r\n"), "mail ends": repeat("\n.\r\n"), "addresses": repeat("1.2.3.4 "), "digits and dots": repeat("1.1"),
		"colons": repeat("a:"), "zone": repeat("a IN TXT \"x\"\n"), "quotes": repeat(" IN TXT \"\"\""),
		"records": repeat("\x16\x03\x01\x00\x01x"), "frames": repeat("\x00\x00\x01\x00\x00\x00\x00\x00\x01x"), "mqtt": repeat("\x30\x04\x00\x01ax"),
		"verbs": repeat("QUIT a\r\n"), "overlaps": overlapping(size), "fragments": fragmented(size),
	}
}

func overlapping(size int) []byte {
	w := newWire(1)
	w.tcp(segment{seq: 1, flags: 16, pay: make([]byte, 60000)})
	for k := 0; w.Len() < size; k++ {
		w.tcp(segment{seq: uint32(k % 60000), flags: 16, pay: []byte{1, 2, 3}})
	}
	return w.Bytes()
}

func fragmented(size int) []byte {
	w := newWire(1)
	for k := 0; w.Len() < size; k++ {
		w.ip(datagram{src: 1, dst: 2, id: 7, frag: 0x2000 | uint16(k%8000), protocol: 17, pay: make([]byte, 8)})
	}
	return w.Bytes()
}
