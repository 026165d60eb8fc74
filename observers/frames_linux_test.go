package observers

import (
	"encoding/hex"
	"fmt"
	"testing"

	filter "golang.org/x/net/bpf"

	"postern/fixtures/channel"
)

func TestFramesShowCanaries(t *testing.T) {
	tr := newTrial(t)
	name, _, _, port := lane(t)
	o, err := NewFrames(name, port, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	raw, _ := hex.DecodeString(tr.text(channel.NetARP))
	for _, b := range [][]byte{raw, []byte(tr.text(channel.NetPacket))} {
		if err := port.send(b); err != nil {
			t.Fatal("a frame was not sent")
		}
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.NetARP: 1, channel.NetPacket: 1})
}

func TestFramesOnNoLink(t *testing.T) {
	tr := newTrial(t)
	if _, err := NewFrames("no-such-link", nil, tr.watch, tr.pilots); err == nil {
		t.Error("a link that is not there was captured")
	}
	if _, err := OpenPort("", "no-such-link"); err == nil {
		t.Error("a port that is not there was opened")
	}
}

// The filter lets through what nobody else hears.
func TestBelow(t *testing.T) {
	vm, err := filter.NewVM(below())
	if err != nil {
		t.Fatal(err)
	}
	ip := func(protocol byte, options int, rest ...byte) string {
		header := make([]byte, 20+options)
		header[0], header[9] = 0x40|byte(len(header)/4), protocol
		return string(append(append([]byte{8, 0}, header...), rest...))
	}
	for _, tt := range []struct {
		name, frame string
		want        bool
	}{
		{"arp", "\x08\x06" + "any", true},
		{"no protocol", "\x88\xb5" + "any", true},
		{"ipv6", "\x86\xdd" + "any", false},
		{"echo request", ip(1, 0, 8, 0), true},
		{"echo request behind options", ip(1, 8, 8, 0), true},
		{"echo answer", ip(1, 0, 0, 0), false},
		{"to a dhcp server", ip(17, 0, 0, 68, 0, 67, 0, 0), true},
		{"to a dhcp server behind options", ip(17, 4, 0, 68, 0, 67, 0, 0), true},
		{"to a dhcp client", ip(17, 0, 0, 67, 0, 68, 0, 0), false},
		{"tcp", ip(6, 0, 0, 68, 0, 67, 0, 0), false},
		{"cut short", "\x08\x00", false},
	} {
		n, err := vm.Run([]byte(fmt.Sprintf("%12s", "") + tt.frame))
		if err != nil || (n > 0) != tt.want {
			t.Errorf("%s: %d bytes pass (%v)", tt.name, n, err)
		}
	}
}
