package observers

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"

	"postern/fixtures/channel"
	"postern/fixtures/dress"
	"postern/fixtures/plan"
)

func deepAt(t *testing.T, tr *trial, sink channel.Sink) *deep {
	t.Helper()
	d, err := newDeep(sink, tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDeepCountsACanaryOnce(t *testing.T) {
	tr := newDressedTrial(t)
	line := []byte(dress.Packed(tr.text(channel.LogPacked), 100))
	d, book := deepAt(t, tr, channel.SinkLog), newLedger()
	d.keep("one", line)
	d.keep("another", line)
	d.hear(t.Context(), book)
	saw(t, book.report(channel.SinkLog), map[channel.ID]int{channel.LogPacked: 1})
	d.hear(t.Context(), book) // it was seen already
	saw(t, book.report(channel.SinkLog), map[channel.ID]int{channel.LogPacked: 1})
}

func TestDeepHearsPilotsAsThoseOfTheirPhase(t *testing.T) {
	tr := newDressedTrial(t)
	d, book := deepAt(t, tr, channel.SinkLog), newLedger()
	d.keep("before", []byte(dress.Packed(tr.pilots.Dressed.Before.Reveal(), 100)))
	d.hear(t.Context(), book)
	if book.seen[channel.PilotBefore] != 1 || book.seen[channel.PilotAfter] != 0 || len(book.report(channel.SinkLog).Observations) != 0 {
		t.Error("a dressed pilot is not counted as one of its phase")
	}
}

// What was not kept may hide a canary, unless it was found.
func TestDeepDropsWhatItDoesNotKeep(t *testing.T) {
	tr := newDressedTrial(t)
	for name, c := range map[string]struct {
		piece []byte
		drops int
	}{
		"nothing is found": {[]byte("nothing\n"), 1},
		"it is found":      {[]byte(dress.Packed(tr.text(channel.LogPacked), 100)), 0},
	} {
		d, book := deepAt(t, tr, channel.SinkLog), newLedger()
		d.keep("kept", c.piece)
		d.keep("too much", bytes.Repeat([]byte("x"), maxKept))
		d.hear(t.Context(), book)
		if got := book.report(channel.SinkLog).Hearing.Drops; got != c.drops {
			t.Errorf("%s: %d drops, want %d", name, got, c.drops)
		}
	}
}

func TestDeepThatHadNoTimeIsADrop(t *testing.T) {
	tr := newDressedTrial(t)
	d, book := deepAt(t, tr, channel.SinkLog), newLedger()
	d.keep("kept", []byte(strings.Repeat("nothing is here\n", 9)))
	d.hear(within(t, 0), book)
	if book.report(channel.SinkLog).Hearing.Drops == 0 {
		t.Error("a search without time passed for silence")
	}
}

func TestNoDeepKeepsNothing(t *testing.T) {
	tr := newTrial(t)
	d, book := deepAt(t, tr, channel.SinkLog), newLedger()
	d.forget()
	d.keep("x", []byte(dress.Packed(tr.text(channel.LogPacked), 100)))
	d.together()
	d.hear(t.Context(), book)
	if d != nil || len(book.seen) != 0 {
		t.Error("it hears in a trial in which nothing is dressed")
	}
}

// One of the names goes between the questions of others, over each transport.
func TestDNSHearsACanaryInADress(t *testing.T) {
	for name, tr := range map[string]*trial{"a trial about dresses": newDressedTrial(t), "another": newTrial(t)} {
		want := map[channel.ID]int{channel.DNSLabel: 1, channel.DNSShuffled: 1, channel.DNSBinary: 1}
		if tr.pilots.Dressed != nil {
			want[channel.DNSNameBase32] = 1
		}
		o := newDNS(t, tr)
		pilot(t, o, channel.PilotBefore)
		addresses := map[channel.ID]string{channel.DNSNameBase32: o.Addr()}
		for id := range want {
			addresses[id] = o.Addr()
		}
		runAgent(t, tr.plan(plan.ModeNormal, addresses))
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		if saw(t, r, want); !r.Hearing.Sound() {
			t.Errorf("%s: %+v", name, r.Hearing)
		}
	}
}

// The other's watch knows neither the canary nor the dressed pilots.
func TestDNSThatIsDeafToDressesIsNotSound(t *testing.T) {
	tr, other := newDressedTrial(t), newDressedTrial(t)
	o := newDNS(t, tr)
	o.deep = deepAt(t, other, channel.SinkDNS)
	pilot(t, o, channel.PilotBefore)
	runAgent(t, tr.plan(plan.ModeNormal, map[channel.ID]string{channel.DNSNameBase32: o.Addr()}))
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	saw(t, r, nil)
	if r.Hearing.Sound() || r.Hearing.PilotsHeard != 2*dnsPilots {
		t.Errorf("%+v", r.Hearing)
	}
}

// dressedBox is a container whose log and a directory of the host's are kept.
func dressedBox(t *testing.T, tr *trial, host container.HostConfig) *box {
	t.Helper()
	return newBox(t, tr, host, func(c *container.Config) {
		c.Labels[DressedLabel] = dress.Packed(tr.pilots.Dressed.Before.Reveal(), 0)
	})
}

func TestContainerWithCanariesInADress(t *testing.T) {
	tr := newDressedTrial(t)
	dir := filepath.Join(t.TempDir(), "open")
	must(t, mkdirOpen(dir))
	b := dressedBox(t, tr, container.HostConfig{
		LogConfig: container.LogConfig{Type: "json-file"}, ReadonlyRootfs: true, Binds: []string{dir + ":/mnt/open"},
	})
	file, log := b.both(func() {
		b.run(tr.plan(plan.ModeNormal, map[channel.ID]string{channel.FileNameSpread: "/mnt/open/spread", channel.LogPacked: "", channel.LogStderr: ""}))
	})
	saw(t, file, map[channel.ID]int{channel.FileNameSpread: 1})
	saw(t, log, map[channel.ID]int{channel.LogPacked: 1, channel.LogStderr: 1})
	if file.Hearing.PilotsSent != 4 || log.Hearing.PilotsSent != 4 {
		t.Errorf("%d and %d pilots, of which some must be dressed", file.Hearing.PilotsSent, log.Hearing.PilotsSent)
	}
}

func TestContainerThatKeepsNoCanaryInADress(t *testing.T) {
	tr := newDressedTrial(t)
	b := dressedBox(t, tr, none())
	file, log := b.both(func() {
		b.run(tr.plan(plan.ModeNormal, map[channel.ID]string{channel.FileNameSpread: "/mnt/open/spread", channel.LogPacked: ""}))
	})
	saw(t, file, nil)
	saw(t, log, nil)
}

// Without its label the log is not sound, and a file observer that does not know
// the names of the image is neither.
func TestContainerWithoutDressedPilotsIsNotSound(t *testing.T) {
	tr := newDressedTrial(t)
	b := newBox(t, tr, none())
	b.file.deep.searches = b.file.deep.searches[:1]
	for _, o := range []Observer{b.log, b.file} {
		pilot(t, o, channel.PilotBefore)
		pilot(t, o, channel.PilotAfter)
		if h := collect(t, o).Hearing; h.Sound() {
			t.Errorf("%s: %+v", o.Sink(), h)
		}
	}
}
