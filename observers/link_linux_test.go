package observers

import (
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"postern/fixtures/channel"
	"postern/observers/netns"
)

// lane is a bridge of this test's own, with one port that leads to another
// network namespace.
func lane(t *testing.T) (name string, own netip.Addr, away string, port *Port) {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil || os.Getuid() != 0 {
		t.Skip("links are made by root with ip(8)")
	}
	there, err := netns.New(func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { there.Close() })
	n := os.Getpid() % 100_000
	name, end, own := fmt.Sprintf("pt%d", n), fmt.Sprintf("pe%d", n), netip.AddrFrom4([4]byte{198, 19, byte(n >> 8), 1})
	away = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), there.Fd())
	t.Cleanup(func() { exec.Command("ip", "link", "del", name).Run(); exec.Command("ip", "link", "del", end).Run() })
	for _, args := range []string{
		"link add " + name + " type bridge",
		"addr add " + own.String() + "/24 brd + dev " + name,
		"link set " + name + " up",
		"link add " + end + " type veth peer name far0 netns " + away,
		"link set " + end + " master " + name + " up",
	} {
		if out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v: %s", args, err, out)
		}
	}
	err = netns.Inside(away, func() error { return exec.Command("ip", "link", "set", "far0", "up").Run() })
	if err != nil {
		t.Fatal(err)
	}
	for forwards := ""; forwards != "3\n"; time.Sleep(time.Millisecond) {
		b, err := os.ReadFile("/sys/class/net/" + end + "/brport/state")
		if forwards = string(b); err != nil || t.Context().Err() != nil {
			t.Fatal("the port does not forward")
		}
	}
	if port, err = OpenPort(away, "far0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	return name, own, away, port
}

var groups = []netip.AddrPort{netip.MustParseAddrPort("224.0.0.251:5353"), netip.MustParseAddrPort("239.255.255.250:1900")}

// linked are the observers of a link, made with that watch.
func linked(t *testing.T, tr *trial) map[channel.Sink]Observer {
	t.Helper()
	name, own, away, port := lane(t)
	place := func(s channel.Sink, network string) Place {
		return Gateway(s, network, own.String())
	}
	out := map[channel.Sink]Observer{}
	add := func(o Observer, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { o.Close() })
		out[o.Sink()] = o
	}
	tcp, err := NewTCPAt(place(channel.SinkGatewayTCP, "tcp4"), tr.watch, tr.pilots)
	add(tcp, err)
	udp, err := NewUDPAt(place(channel.SinkGatewayUDP, "udp4"), tr.watch, tr.pilots)
	add(udp, err)
	shape, err := NewShape(place(channel.SinkShape, "udp4"), tr.watch, tr.pilots)
	add(shape, err)
	members, err := NewGroups(own, groups, tr.watch, tr.pilots)
	add(members, err)
	frames, err := NewFrames(name, port, tr.watch, tr.pilots)
	add(frames, err)
	all, err := NewUDPAt(Place{Sink: channel.SinkBroadcast, Network: "udp4", Address: everyone(own) + ":0"}, tr.watch, tr.pilots)
	add(all, err)
	abstract, err := NewTCPAt(Place{Sink: channel.SinkPeerAbstract, Network: "unix", Address: "@postern-test", Namespace: away}, tr.watch, tr.pilots)
	add(abstract, err)
	return out
}

func TestSilenceOnALinkIsSound(t *testing.T) {
	for sink, o := range linked(t, newTrial(t)) {
		pilot(t, o, channel.PilotBefore)
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		if !r.Hearing.Sound() {
			t.Errorf("%s: %+v", sink, r.Hearing)
		}
		saw(t, r, nil)
	}
}

// everyone is the address of all on a network of 256.
func everyone(own netip.Addr) string {
	a := own.As4()
	a[3] = 255
	return netip.AddrFrom4(a).String()
}

func TestADeafObserverOfALinkIsNotSound(t *testing.T) {
	deaf := newTrial(t)
	deaf.pilots = newTrial(t).pilots
	for sink, o := range linked(t, deaf) {
		for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
			if err := o.Pilot(InVain(t.Context()), phase); err != nil {
				t.Errorf("%s: a pilot that is not heard is no error: %v", sink, err)
			}
		}
		if h := collect(t, o).Hearing; h.Sound() || h.PilotsHeard != 0 {
			t.Errorf("%+v", h)
		}
	}
}

func TestOnALinkAChannelIsNoPhase(t *testing.T) {
	for sink, o := range linked(t, newTrial(t)) {
		if err := o.Pilot(t.Context(), channel.NetTCP4); err == nil {
			t.Errorf("%s: a channel was taken for a phase", sink)
		}
		o.Close()
		if r, err := o.Collect(within(t, 100*time.Millisecond)); err == nil && r.Hearing.Drops == 0 {
			t.Errorf("%s: a closed observer could look", sink)
		}
	}
}
