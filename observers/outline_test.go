package observers

import (
	"fmt"
	"net"
	"slices"
	"testing"

	"postern/fixtures/channel"
)

func newOutline(t *testing.T, tr *trial) *Outline {
	t.Helper()
	o, err := NewOutline(tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	pilot(t, o, channel.PilotBefore)
	return o
}

func TestOutlineReadsWhatIsNotInADatagram(t *testing.T) {
	tr := newTrial(t)
	b := raw(t, tr.text(channel.UDPLength))
	for name, say := range map[string]func(o *Outline) error{
		"lengths": func(o *Outline) error {
			var all [][]byte
			for _, v := range b {
				all = append(all, make([]byte, 1+v>>4), make([]byte, 1+v&15))
			}
			return sendTo(t.Context(), "udp4", o.Addr(), all...)
		},
		"types of service": func(o *Outline) error {
			return o.header(t, b, func(v byte) datagramHeaders { return datagramHeaders{int(v), 64} })
		},
		"ports": func(o *Outline) error { return o.fromPorts(b, "word") },
	} {
		o := newOutline(t, tr)
		if err := say(o); err != nil {
			t.Fatalf("%s: a send failed", name)
		}
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		if len(r.Observations) != 1 || r.Observations[0] != (Observation{channel.UDPLength, channel.SinkOutline, 1}) {
			t.Errorf("%s: %v", name, r.Observations)
		}
	}
}

// header sends a datagram for each byte.
func (o *Outline) header(t *testing.T, b []byte, of func(byte) datagramHeaders) error {
	c := dial(t, "udp4", o.Addr()).(*net.UDPConn)
	for _, v := range b {
		if err := setHeaders(c, of(v)); err != nil {
			return err
		}
		if _, err := c.Write([]byte("a word that is too long to be one")); err != nil {
			return err
		}
	}
	return nil
}

// Ports come in any order; those of two words are two rows.
func TestOutlinePortsInAnyOrder(t *testing.T) {
	tr := newTrial(t)
	b := raw(t, tr.text(channel.UDPSource))
	o := newOutline(t, tr)
	to := o.box.LocalAddr().(*net.UDPAddr)
	for n := range b {
		i := n * 5 % len(b)
		if err := sayFrom(i<<8|int(b[i]), to, []byte("word")); err != nil {
			t.Fatal("a send failed")
		}
		if err := sayFrom(i<<8|int(b[i]), to, fmt.Appendf(nil, "other%d", i%2)); err != nil {
			t.Fatal("a send failed")
		}
	}
	pilot(t, o, channel.PilotAfter)
	saw(t, collect(t, o), map[channel.ID]int{channel.UDPSource: 1})
}

func TestOutlineSearchesWhatIsInADatagram(t *testing.T) {
	tr := newTrial(t)
	o := newOutline(t, tr)
	for _, size := range []int{0, 1, 17, 65507} {
		if err := sendTo(t.Context(), "udp4", o.Addr(), make([]byte, size), []byte(tr.text(channel.NetUDP4))); err != nil {
			t.Fatal("a send failed")
		}
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.NetUDP4: 4})
}

func TestOutlineCountsWhatItCannotRemember(t *testing.T) {
	o := newOutline(t, newTrial(t))
	for n := range maxFlows + 3 {
		o.opened(letter{body: fmt.Appendf(nil, "%d", n)})
	}
	if drops := o.book.report(channel.SinkOutline).Hearing.Drops; drops < 3 {
		t.Errorf("%d drops, want at least 3", drops)
	}
}

func TestLastIsSeenOnceWhenItIsWhole(t *testing.T) {
	tr := newTrial(t)
	b := raw(t, tr.text(channel.NetUDP4))
	var byBytes, byNibbles latest
	seen := 0
	for i, v := range append(slices.Clip(b), make([]byte, 15)...) {
		n := byBytes.push(tr.watch, v)[channel.NetUDP4]
		m := byNibbles.nibble(tr.watch, v>>4)[channel.NetUDP4] + byNibbles.nibble(tr.watch, v)[channel.NetUDP4]
		if n != m || n != 0 && i != 15 {
			t.Errorf("byte %d: %d and %d sightings", i, n, m)
		}
		seen += n
	}
	if seen != 1 {
		t.Errorf("%d sightings", seen)
	}
	if n := byBytes.push(tr.watch, append(make([]byte, 20), b...)...)[channel.NetUDP4]; n != 1 {
		t.Error("the end of many bytes was not seen")
	}
}

func FuzzHeadersOf(f *testing.F) {
	f.Add([]byte("\x11\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x10"))
	f.Fuzz(func(t *testing.T, oob []byte) {
		headersOf(oob)
		dropCount(oob)
	})
}
