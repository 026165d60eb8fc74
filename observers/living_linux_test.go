package observers

import (
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"postern/fixtures/channel"
)

// looked sends both pilots around a look, as a trial does.
func looked(t *testing.T, o Living) Report {
	t.Helper()
	pilot(t, o, channel.PilotBefore)
	if err := o.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	pilot(t, o, channel.PilotAfter)
	return collect(t, o)
}

func TestSocketNamesShowCanaries(t *testing.T) {
	tr := newTrial(t)
	r := looked(t, NewSocketNames(tr.watch, tr.pilots))
	sound(t, r)
	saw(t, r, nil)
	l, err := net.Listen("unix", "@"+tr.text(channel.NetAbstractName))
	if err != nil {
		t.Fatal("a socket got no name")
	}
	defer l.Close()
	r = looked(t, NewSocketNames(tr.watch, tr.pilots))
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.NetAbstractName: 1})
}

// interfaces is a directory like /sys/class/net, in which writing works as
// there.
func interfaces(t *testing.T, tr *trial) *Links {
	t.Helper()
	o := NewLinks("pn0", new(sync.Mutex), tr.watch, tr.pilots)
	o.sys = t.TempDir()
	for _, name := range []string{"eth0", "pn0"} {
		if err := os.Mkdir(filepath.Join(o.sys, name), 0o700); err != nil {
			t.Fatal(err)
		}
		alias(t, o, name, "")
	}
	return o
}

func alias(t *testing.T, o *Links, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(o.sys, name, "ifalias"), []byte(text+"\n"), 0o600); err != nil {
		t.Fatal("an alias was not written")
	}
}

func TestLinksShowCanariesAndForgetThem(t *testing.T) {
	tr := newTrial(t)
	r := looked(t, interfaces(t, tr))
	sound(t, r)
	saw(t, r, nil)
	o := interfaces(t, tr)
	alias(t, o, "pn0", tr.text(channel.NetLinkAlias))
	if err := o.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	saw(t, collect(t, o), map[channel.ID]int{channel.NetLinkAlias: 1})
	if left, _ := os.ReadFile(filepath.Join(o.sys, "pn0", "ifalias")); strings.TrimSpace(string(left)) != "" {
		t.Error("the alias is still there")
	}
}

func TestLinksWithoutInterfacesIsAnError(t *testing.T) {
	tr := newTrial(t)
	o := NewLinks("pn0", new(sync.Mutex), tr.watch, tr.pilots)
	o.sys = t.TempDir()
	if err := o.Look(t.Context()); err == nil {
		t.Error("no interface is no error")
	}
	if err := o.Pilot(t.Context(), channel.PilotBefore); err == nil {
		t.Error("a pilot had an interface")
	}
}

func newInbound(tr *trial) *Inbound { return NewInbound(nil, 0, 0, tr.watch, tr.pilots) }

func TestInboundHearsWhatItIsTold(t *testing.T) {
	tr := newTrial(t)
	o := newInbound(tr)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go tellCaller(l, tr.text(channel.NetListenTCP4))
	go tellSender(c, tr.text(channel.NetListenUDP4))
	pilot(t, o, channel.PilotBefore)
	o.knock(t.Context(), "tcp4", l.Addr().String())
	o.knock(t.Context(), "udp4", c.LocalAddr().String())
	pilot(t, o, channel.PilotAfter)
	o.looked = true
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.NetListenTCP4: 1, channel.NetListenUDP4: 1})
}

func TestInboundNobodyThere(t *testing.T) {
	o := newInbound(newTrial(t))
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	o.knock(t.Context(), "tcp4", at)
	o.knock(t.Context(), "udp4", at)
	o.looked = true
	if h := collect(t, o).Hearing; h.Units != 0 || h.Drops != 0 {
		t.Errorf("%+v", h)
	}
}

// One who lets us in and says nothing may be about to say it.
func TestInboundSilenceIsALoss(t *testing.T) {
	tr := newTrial(t)
	o := newInbound(tr)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	o.knock(within(t, 50*time.Millisecond), "tcp4", l.Addr().String())
	o.looked = true
	if h := collect(t, o).Hearing; h.Drops != 1 {
		t.Errorf("%+v", h)
	}
}

func TestNear(t *testing.T) {
	own, err := near()
	if err != nil {
		t.Fatal(err)
	}
	for a, want := range map[string]bool{"127.0.0.1": true, "203.0.113.7": false} {
		if got := own(netip.MustParseAddr(a)); got != want {
			t.Errorf("%s: %v", a, got)
		}
	}
}

// What looks at the living is deaf and unused like all others.
func TestLivingObserversThatCannotSay(t *testing.T) {
	tr := newTrial(t)
	deaf := newTrial(t)
	deaf.pilots = tr.pilots
	made := func(tr *trial) []Living {
		return []Living{NewSocketNames(tr.watch, tr.pilots), interfaces(t, tr), newInbound(tr)}
	}
	for _, o := range made(tr) {
		pilot(t, o, channel.PilotBefore)
		pilot(t, o, channel.PilotAfter)
		if r, err := o.Collect(t.Context()); err != nil || r.Hearing.Sound() {
			t.Errorf("%s: sound without having looked: %+v, %v", o.Sink(), r.Hearing, err)
		}
		if err := o.Pilot(t.Context(), channel.NetTCP4); err == nil {
			t.Errorf("%s: a channel was taken for a phase", o.Sink())
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, o := range made(deaf) {
		pilot(t, o, channel.PilotBefore)
		pilot(t, o, channel.PilotAfter)
		if r, _ := o.Collect(t.Context()); r.Hearing.Sound() || r.Hearing.PilotsHeard != 0 || r.Hearing.PilotsSent < 2 {
			t.Errorf("%s: %+v", o.Sink(), r.Hearing)
		}
	}
}

func TestShape(t *testing.T) {
	tr := newTrial(t)
	o, err := NewShape(Place{Sink: channel.SinkShape, Network: "udp4", Address: "127.0.0.1:0", From: "127.0.0.1"}, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	pilot(t, o, channel.PilotBefore)
	if err := o.spell(tr.text(channel.NetLength)); err != nil {
		t.Fatal("it was not spelled")
	}
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, map[channel.ID]int{channel.NetLength: 2}) // by its ports and by its lengths
	if err := o.spell("x"); err == nil {
		t.Error("what is no canary was spelled")
	}
}

// Whatever arrives, in whatever order, nothing breaks, and a canary is found
// once all of it has come.
func FuzzShapeTakes(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, noise []byte) {
		tr := newTrial(t)
		o := &Shape{watch: tr.watch, book: newLedger()}
		for i := 0; i+3 < len(noise); i += 4 {
			o.take(int(noise[i])<<8|int(noise[i+1]), int(noise[i+2])<<8|int(noise[i+3]))
		}
		text := tr.text(channel.NetLength)
		for i := range text {
			half := strings.IndexByte("0123456789abcdef", text[len(text)-1-i])
			o.take(lengthMark+((len(text)-1-i)<<4|half), 0)
		}
		if o.book.report(channel.SinkShape).Observations == nil {
			t.Error("a canary that was spelled backwards was not found")
		}
	})
}
