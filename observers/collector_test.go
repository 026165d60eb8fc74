package observers

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

func collectors(t *testing.T, tr *trial) map[channel.Sink]*Collector {
	t.Helper()
	out := map[channel.Sink]*Collector{}
	for sink := range kinds() {
		o, err := NewCollector(sink, tr.watch, tr.pilots)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { o.Close() })
		out[sink] = o
	}
	return out
}

func TestCollectorsHearTheirDrivers(t *testing.T) {
	tr := newTrial(t)
	for _, o := range collectors(t, tr) {
		pilot(t, o, channel.PilotBefore)
		must(t, sendTo(t.Context(), o.network(), o.Addr(), o.kind.pack(tr.text(channel.LogStderr))))
		must(t, sendTo(t.Context(), o.network(), o.Addr(), o.kind.pack(tr.text(channel.ToolPermitted)+" "+tr.text(channel.ToolPublic))))
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		saw(t, r, map[channel.ID]int{channel.LogStderr: 1, channel.ToolPermitted: 1, channel.ToolPublic: 1})
	}
}

func TestCollectorsInSilence(t *testing.T) {
	for _, o := range collectors(t, newTrial(t)) {
		pilot(t, o, channel.PilotBefore)
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		saw(t, r, nil)
		for range 2 {
			must(t, o.Close())
		}
	}
}

func TestCollectorsThatAreDeaf(t *testing.T) {
	other, deaf := newTrial(t), newTrial(t)
	deaf.pilots = other.pilots
	for _, o := range collectors(t, deaf) {
		for _, phase := range []channel.ID{channel.PilotBefore, channel.PilotAfter} {
			if err := o.Pilot(InVain(t.Context()), phase); err != nil {
				t.Errorf("%s: a pilot that is not heard is no error: %v", o.Sink(), err)
			}
		}
		if h := collect(t, o).Hearing; h.Sound() || h.PilotsHeard != 0 || h.PilotsSent != 2 {
			t.Errorf("%+v", h)
		}
	}
}

func TestCollectorsThatCannotLook(t *testing.T) {
	tr := newTrial(t)
	if _, err := NewCollector(channel.SinkTCP4, tr.watch, tr.pilots); err == nil {
		t.Error("a log server of no driver was started")
	}
	for sink, o := range collectors(t, tr) {
		if err := o.Pilot(t.Context(), channel.NetTCP4); err == nil {
			t.Errorf("%s: a channel was taken for a phase", sink)
		}
		o.Close()
		if _, err := o.Collect(t.Context()); err == nil {
			t.Errorf("%s: a closed observer could look", sink)
		}
	}
}

// What a driver has not finished to send is a drop.
func TestCollectorCutShort(t *testing.T) {
	for sink, o := range collectors(t, newTrial(t)) {
		if o.door == nil {
			continue
		}
		c, err := net.Dial("tcp4", o.Addr())
		must(t, err)
		t.Cleanup(func() { c.Close() })
		write(t, c, "half a mess")
		r, err := o.Collect(within(t, 50*time.Millisecond))
		must(t, err)
		if r.Hearing.Drops == 0 {
			t.Errorf("%s: nothing was lost", sink)
		}
	}
}

func TestGELFDatagrams(t *testing.T) {
	tr := newTrial(t)
	message := fmt.Sprintf(`{"short_message":"%s"}`, tr.text(channel.LogStderr))
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	io.WriteString(w, message)
	must(t, w.Close())
	zipped := gelfDatagram(tr.text(channel.LogStderr))
	bomb := &bytes.Buffer{}
	w = zlib.NewWriter(bomb)
	w.Write(make([]byte, maxUnpacked+1))
	must(t, w.Close())
	for _, c := range []struct {
		name        string
		datagrams   [][]byte
		seen, drops int
	}{
		{"gzip", [][]byte{zipped}, 1, 0},
		{"zlib", [][]byte{packed.Bytes()}, 1, 0},
		{"plain", [][]byte{[]byte(message)}, 1, 0},
		{"in chunks, out of order", reversed(chunked(zipped, "message1", 3)), 1, 0},
		{"a chunk twice", append(chunked(zipped, "message1", 3)[:1], chunked(zipped, "message1", 3)...), 1, 0},
		{"two messages mixed", mixed(chunked(zipped, "message1", 2), chunked(zipped, "message2", 2)), 2, 0},
		{"a chunk missing", chunked(zipped, "message1", 3)[:2], 0, 0},
		{"a chunk beyond the last", [][]byte{append([]byte("\x1e\x0fmessage1\x05\x02"), message...)}, 0, 0},
		{"of no chunks", [][]byte{append([]byte("\x1e\x0fmessage1\x00\x00"), message...)}, 0, 0},
		{"cut short", [][]byte{packed.Bytes()[:packed.Len()-8]}, 1, 1},
		{"longer than is read", [][]byte{bomb.Bytes()}, 0, 1},
		{"empty", [][]byte{nil}, 0, 0},
	} {
		book := newLedger()
		unpack := gelfUnpack(tr.watch, book)
		seen := 0
		for _, d := range c.datagrams {
			seen += unpack(d)[channel.LogStderr]
		}
		if seen != c.seen || book.drops != c.drops {
			t.Errorf("%s: seen %d, %d drops; want %d, %d", c.name, seen, book.drops, c.seen, c.drops)
		}
	}
}

func TestGELFForgetsWhatIsNeverFinished(t *testing.T) {
	g := &gelf{partial: map[string]*chunks{}}
	forgotten := 0
	for n := range 3 * maxPartial {
		_, f := g.join(chunked([]byte("a message"), fmt.Sprintf("id%06d", n), 2)[0])
		forgotten += f
	}
	if len(g.partial) > maxPartial || forgotten+len(g.partial) != 3*maxPartial {
		t.Errorf("%d are kept, %d were forgotten", len(g.partial), forgotten)
	}
}

// FuzzGELF feeds datagrams that anybody on the host's network can send.
func FuzzGELF(f *testing.F) {
	f.Add([]byte("\x1e\x0fmessage1\x00\x02abc"), []byte("\x1e\x0fmessage1\x01\x02def"))
	f.Add(gelfDatagram("text"), []byte("{}"))
	watch, err := canary.NewWatch([]canary.Entry{{ID: channel.LogStderr, Canary: canary.NewKey().Mint("f", channel.LogStderr)}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		book := newLedger()
		unpack := gelfUnpack(watch, book)
		for _, d := range [][]byte{a, b, a} {
			if len(unpack(d)) != 0 {
				t.Fatal("a canary was seen that nobody sent")
			}
		}
	})
}

// chunked cuts a message into GELF chunks.
func chunked(b []byte, id string, n int) [][]byte {
	var out [][]byte
	for i := range n {
		head := append([]byte("\x1e\x0f"+id), byte(i), byte(n))
		out = append(out, append(head, b[i*len(b)/n:(i+1)*len(b)/n]...))
	}
	return out
}

func reversed(in [][]byte) [][]byte {
	var out [][]byte
	for i := range in {
		out = append(out, in[len(in)-1-i])
	}
	return out
}

func mixed(a, b [][]byte) [][]byte { return [][]byte{a[0], b[0], b[1], a[1]} }
