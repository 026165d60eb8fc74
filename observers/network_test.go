package observers

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
	"postern/fixtures/compat"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

// listener is an observer with an address.
type listener interface {
	Observer
	Addr() string
}

func listeners(t *testing.T, tr *trial) map[channel.Sink]listener {
	t.Helper()
	out := map[channel.Sink]listener{}
	add := func(o listener, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { o.Close() })
		out[o.Sink()] = o
	}
	for _, n := range []string{"tcp4", "tcp6"} {
		o, err := NewTCP(n, tr.watch, tr.pilots)
		add(o, err)
	}
	for _, n := range []string{"udp4", "udp6"} {
		o, err := NewUDP(n, tr.watch, tr.pilots)
		add(o, err)
	}
	d, err := NewDNS(tr.watch, tr.pilots)
	add(d, err)
	resolver, err := NewResolver("127.0.0.1:0", tr.watch, tr.pilots)
	add(resolver, err)
	for _, make := range []func(*canary.Watch, Pilots) (*Protocol, error){NewWebSocket, NewTLS, NewShreds, NewUrgent} {
		o, err := make(tr.watch, tr.pilots)
		add(o, err)
	}
	outline, err := NewOutline(tr.watch, tr.pilots)
	add(outline, err)
	tool, err := NewTool(t.TempDir(), tr.watch, tr.pilots)
	add(tool, err)
	return out
}

// The positive control: every network probe of the real agent is seen at its
// own sink, once, and nowhere else.
func TestTheAgentIsHeard(t *testing.T) {
	tr := newDressedTrial(t)
	all := listeners(t, tr)
	addresses := map[channel.ID]string{}
	want := map[channel.Sink]map[channel.ID]int{}
	for _, c := range channel.All() {
		o, ok := all[c.Sink]
		if !ok || c.Sink == channel.SinkTool || c.ID == channel.KernelCompat && !compat.Works() {
			continue
		}
		addresses[c.ID] = o.Addr()
		if want[c.Sink] == nil {
			want[c.Sink] = map[channel.ID]int{}
		}
		want[c.Sink][c.ID] = 1
	}
	if len(addresses) < 7 {
		t.Fatalf("only %d channels", len(addresses))
	}
	for _, o := range all {
		pilot(t, o, channel.PilotBefore)
	}
	runAgent(t, tr.plan(plan.ModeNormal, addresses))
	for sink, o := range all {
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		saw(t, r, want[sink])
		if r.Hearing.Units < 2 || r.Hearing.Bytes < 48 {
			t.Errorf("%s: %d units, %d bytes", sink, r.Hearing.Units, r.Hearing.Bytes)
		}
	}
}

func TestSilenceIsSoundAndEmpty(t *testing.T) {
	for sink, o := range listeners(t, newTrial(t)) {
		pilot(t, o, channel.PilotBefore)
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		saw(t, r, nil)
		want := map[channel.Sink]struct{ pilots, units int }{
			channel.SinkDNS: {dnsPilots, dnsUnits}, channel.SinkResolver: {dnsPilots, dnsUnits},
			channel.SinkOutline: {outlinePilots, 48}, channel.SinkShreds: {1, 16},
		}[sink]
		if want.pilots == 0 {
			want.pilots, want.units = 1, 1
		}
		if h := r.Hearing; h.Sink != sink || h.PilotsSent != 2*want.pilots || h.Units != 2*want.units {
			t.Errorf("%+v, want twice %d pilots in %d units", h, want.pilots, want.units)
		}
		for range 2 {
			if err := o.Close(); err != nil {
				t.Errorf("%s: closing: %v", sink, err)
			}
		}
	}
}

func TestWithoutPilotsNothingIsSound(t *testing.T) {
	for sink, o := range listeners(t, newTrial(t)) {
		pilot(t, o, channel.PilotBefore)
		if err := o.Pilot(t.Context(), channel.NetTCP4); err == nil {
			t.Errorf("%s: a channel was taken for a phase", sink)
		}
		if collect(t, o).Hearing.Sound() {
			t.Errorf("%s: sound without a pilot after", sink)
		}
	}
}

// An observer whose watch does not know the pilots is deaf to them.
func TestADeafObserverIsNotSound(t *testing.T) {
	other := newTrial(t)
	deaf := newTrial(t)
	deaf.pilots = other.pilots
	for sink, o := range listeners(t, deaf) {
		for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
			if err := o.Pilot(InVain(t.Context()), phase); err != nil {
				t.Errorf("%s: a pilot that is not heard is no error: %v", sink, err)
			}
		}
		r := collect(t, o)
		if h := r.Hearing; h.Sound() || h.PilotsHeard != 0 || h.PilotsSent < 2 {
			t.Errorf("%+v", h)
		}
	}
}

func TestCollectAfterCloseIsAnError(t *testing.T) {
	for sink, o := range listeners(t, newTrial(t)) {
		o.Close()
		if _, err := o.Collect(t.Context()); err == nil {
			t.Errorf("%s: a closed observer could look", sink)
		}
		if err := o.Pilot(within(t, 20*time.Millisecond), channel.PilotBefore); err == nil && sink != channel.SinkUDP4 && sink != channel.SinkUDP6 && sink != channel.SinkOutline {
			t.Errorf("%s: a closed observer sent its pilot", sink)
		}
	}
}

func TestUnknownNetworks(t *testing.T) {
	tr := newTrial(t)
	for _, n := range []string{"", "tcp", "unix", "udp4"} {
		if o, err := NewTCP(n, tr.watch, tr.pilots); err == nil {
			o.Close()
			t.Errorf("NewTCP took %q", n)
		}
	}
	if o, err := NewUDP("tcp4", tr.watch, tr.pilots); err == nil {
		o.Close()
		t.Error("NewUDP took tcp4")
	}
}

func newTCP(t *testing.T, tr *trial) *TCP {
	t.Helper()
	o, err := NewTCP("tcp4", tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

func dial(t *testing.T, network, address string) net.Conn {
	t.Helper()
	c, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func write(t *testing.T, c net.Conn, s string) {
	t.Helper()
	if _, err := c.Write([]byte(s)); err != nil {
		t.Fatal("a write failed")
	}
}

// Whatever was sent before Collect is read, though nobody accepted it yet.
func TestTCPReadsWhatIsQueued(t *testing.T) {
	tr := newTrial(t)
	o := newTCP(t, tr)
	const n = 300
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if err := sendTo(t.Context(), "tcp4", o.Addr(), []byte("x"+tr.text(channel.NetTCP4)+"y")); err != nil {
				t.Error("a send failed")
			}
		})
	}
	wg.Wait()
	r := collect(t, o)
	saw(t, r, map[channel.ID]int{channel.NetTCP4: n})
	if r.Hearing.Drops != 0 || r.Hearing.Units != n || r.Hearing.Bytes != n*34 {
		t.Errorf("%+v", r.Hearing)
	}
}

func TestTCPCanaryInPiecesOfOneConnection(t *testing.T) {
	tr := newTrial(t)
	o := newTCP(t, tr)
	c := dial(t, "tcp4", o.Addr())
	for _, digit := range strings.Split(tr.text(channel.NetTCP4Child), "") {
		write(t, c, digit)
	}
	c.Close()
	saw(t, collect(t, o), map[channel.ID]int{channel.NetTCP4Child: 1})
}

func TestTCPCutConnectionsAreDropsAndWhatTheySentCounts(t *testing.T) {
	tr := newTrial(t)
	o := newTCP(t, tr)
	pilot(t, o, channel.PilotBefore)
	open := dial(t, "tcp4", o.Addr())
	write(t, open, tr.text(channel.NetTCP4))
	reset := dial(t, "tcp4", o.Addr())
	write(t, reset, "x")
	reset.(*net.TCPConn).SetLinger(0)
	reset.Close()
	pilot(t, o, channel.PilotAfter)
	r, err := o.Collect(within(t, 200*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	saw(t, r, map[channel.ID]int{channel.NetTCP4: 1})
	if h := r.Hearing; h.Drops != 2 || h.Sound() || h.PilotsHeard != 2 {
		t.Errorf("%+v, want two drops", h)
	}
}

func TestTCPReadsNoMoreThanItMay(t *testing.T) {
	tr := newTrial(t)
	o := newTCP(t, tr)
	o.door.left = 1 << 20
	c := dial(t, "tcp4", o.Addr())
	for range 200 {
		if _, err := c.Write(make([]byte, 64<<10)); err != nil {
			break // it hung up
		}
	}
	c.Close()
	if h := collect(t, o).Hearing; h.Drops != 1 || h.Bytes > 2<<20 {
		t.Errorf("%+v", h)
	}
}

// More connections than it holds open at once: some are never accepted.
func TestTCPFullHouse(t *testing.T) {
	o := newTCP(t, newTrial(t))
	for range doorGuests + 10 {
		dial(t, "tcp4", o.Addr())
	}
	r, err := o.Collect(within(t, 300*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	if h := r.Hearing; h.Drops < doorGuests+1 || h.Sound() {
		t.Errorf("%+v", h)
	}
}

func TestUDPCountsWhatTheKernelDropped(t *testing.T) {
	tr := newTrial(t)
	book := newLedger()
	box, err := newMailbox("udp4", "127.0.0.1:0", tr.watch, book, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	box.SetReadBuffer(64 << 10)
	const n = 1000
	for range n { // nobody reads yet
		if err := sendTo(t.Context(), "udp4", box.LocalAddr().String(), make([]byte, 1000)); err != nil {
			t.Fatal("a send failed")
		}
	}
	go (&UDP{box: box}).serve()
	if err := box.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := book.report(channel.SinkUDP4).Hearing
	if h.Drops == 0 || h.Units == 0 || h.Drops+h.Units != n {
		t.Errorf("%d read and %d dropped of %d", h.Units, h.Drops, n)
	}
}

func TestUDPReadsWhatIsQueued(t *testing.T) {
	for _, network := range []string{"udp4", "udp6"} {
		tr := newTrial(t)
		o, err := NewUDP(network, tr.watch, tr.pilots)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		const n = 2000
		for range n {
			if err := sendTo(t.Context(), network, o.Addr(), []byte(tr.text(channel.NetUDP4))); err != nil {
				t.Fatal("a send failed")
			}
		}
		for _, size := range []int{0, 65507} {
			if err := sendTo(t.Context(), network, o.Addr(), make([]byte, size)); err != nil {
				t.Fatal("a send failed")
			}
		}
		r := collect(t, o)
		saw(t, r, map[channel.ID]int{channel.NetUDP4: n})
		if h := r.Hearing; h.Drops != 0 || h.Units != n+2 {
			t.Errorf("%s: %+v", network, h)
		}
	}
}

func TestUDPNobodyReads(t *testing.T) {
	book := newLedger()
	box, err := newMailbox("udp4", "127.0.0.1:0", newTrial(t).watch, book, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	if err := box.settle(within(t, 60*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if book.report(channel.SinkUDP4).Hearing.Drops != 1 {
		t.Error("an unread queue is no drop")
	}
}

func TestUDPAddsUpARunningCount(t *testing.T) {
	m := &mailbox{book: newLedger()}
	for _, total := range []uint32{5, 5, 7, 1<<32 - 1, 1} {
		m.dropped(total)
	}
	if got := m.book.report(channel.SinkUDP4).Hearing.Drops; got != 1<<32+1 {
		t.Errorf("%d drops", got)
	}
}

// A reader that gave up after a time limit leaves the rest to Close.
func TestTapIsReadToItsEndPastADeadline(t *testing.T) {
	tr := newTrial(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := newDoor(l, tr.watch, newLedger())
	c := dial(t, "tcp4", l.Addr().String())
	accepted, err := d.Accept()
	if err != nil {
		t.Fatal(err)
	}
	accepted.SetReadDeadline(time.Unix(1, 0))
	if _, err := accepted.Read(make([]byte, 1)); err == nil {
		t.Fatal("the deadline did not pass")
	}
	write(t, c, tr.text(channel.NetTCP4))
	c.Close()
	accepted.Close()
	r := d.book.report(channel.SinkTCP4)
	saw(t, r, map[channel.ID]int{channel.NetTCP4: 1})
	if r.Hearing.Drops != 0 {
		t.Errorf("%+v", r.Hearing)
	}
}

func TestBeyond(t *testing.T) {
	type counts = map[channel.ID]int
	got := beyond(counts{"new": 2, "more": 3, "same": 1, "fewer": 1}, counts{"more": 1, "same": 1, "fewer": 2, "old": 1})
	if diff := cmp.Diff(counts{"new": 2, "more": 2}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
