package watchdog

import (
	"bytes"
	"io"
	"os"
	"slices"
	"testing"
	"testing/iotest"
	"time"
)

func FuzzDecode(f *testing.F) {
	for _, k := range []kind{arm, beat, disarm, armed, refused, answered} {
		f.Add(message{k, 1}.encode())
	}
	f.Add([]byte("no message"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) < size {
			return
		}
		m, ok := decode([size]byte(in))
		if ok != bytes.ContainsAny(in[:1], "abdARB") {
			t.Errorf("kind %q: %v", in[0], ok)
		}
		if ok && !bytes.Equal(m.encode(), in[:size]) || !ok && m != (message{}) {
			t.Errorf("%q is %+v", in[:size], m)
		}
	})
}

// A message may come in pieces, and the last one may be cut off.
func TestMessagesArePutTogether(t *testing.T) {
	want := []message{{arm, 1 << 33}, {beat, 1}, {beat, 2}}
	in := stream(want...)
	done := make(chan struct{})
	defer close(done)
	var got []message
	for m := range receive(iotest.OneByteReader(bytes.NewReader(append(in, in[:size-1]...))), done) {
		got = append(got, m)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The bridge's side, whatever the program says: it always learns of the end,
// and goes on to a second heartbeat only after the right answer to the first.
func FuzzLease(f *testing.F) {
	f.Add(stream(message{answered, 1}))
	f.Add(stream(message{answered, 2}))
	f.Add(stream(message{answered, 1}, message{answered, 2}))
	f.Add([]byte("armed"))
	f.Fuzz(func(t *testing.T, in []byte) {
		sent, beats, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer sent.Close()
		said := bytes.NewReader(in)
		done := make(chan struct{})
		l := &Lease{
			timing: Timing{Heartbeat: time.Millisecond, Ack: maxLease}, init: &initProcess{fd: -1}, beats: beats,
			received: receive(said, done), done: done,
			lost: make(chan struct{}), ending: make(chan struct{}), exited: make(chan struct{}),
		}
		go l.keep()
		if !lost(l, patience) {
			t.Fatal("the end is not seen")
		}
		all, err := io.ReadAll(sent)
		if err != nil {
			t.Fatal(err)
		}
		right := bytes.HasPrefix(in, stream(message{answered, 1}))
		switch {
		case !bytes.HasPrefix(all, stream(message{beat, 1})), !right && len(all) != size:
			t.Errorf("%d bytes of heartbeats", len(all))
		}
	})
}

// No answer is taken for "not running" but one that says so.
func FuzzParseState(f *testing.F) {
	f.Add([]byte(`{"Id":"` + container64() + `","State":{"Running":false,"Pid":0}}`))
	f.Add([]byte(`{"Id":"` + container64() + `","State":{"running":false,"Pid":0}}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		s, err := parseState(body, container64())
		if err == nil && !s.running && !(bytes.Contains(body, []byte("false")) && bytes.Contains(body, []byte(container64()))) {
			t.Error("not running, out of nothing")
		}
	})
}
