package observers

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

func newProtocol(t *testing.T, tr *trial, make func(*canary.Watch, Pilots) (*Protocol, error)) *Protocol {
	t.Helper()
	o, err := make(tr.watch, tr.pilots)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	pilot(t, o, channel.PilotBefore)
	return o
}

// finish sends the second pilot and demands a sound report with these sightings.
func finish(t *testing.T, o *Protocol, want map[channel.ID]int) {
	t.Helper()
	pilot(t, o, channel.PilotAfter)
	r := collect(t, o)
	sound(t, r)
	saw(t, r, want)
}

// wireFrame is written independently of the observer's own pilots.
func wireFrame(head byte, mask string, body string) []byte {
	out := []byte{head, 0}
	switch n := len(body); {
	case n < 126:
		out[1] = byte(n)
	case n < 1<<16:
		out = binary.BigEndian.AppendUint16([]byte{head, 126}, uint16(n))
	default:
		out = binary.BigEndian.AppendUint64([]byte{head, 127}, uint64(n))
	}
	if mask == "" {
		return append(out, body...)
	}
	out[1] |= 0x80
	out = append(out, mask...)
	for i := range len(body) {
		out = append(out, body[i]^mask[i%4])
	}
	return out
}

func TestReadMessages(t *testing.T) {
	long, huge := strings.Repeat("a", 300), strings.Repeat("b", 70_000)
	tests := map[string]struct {
		frames [][]byte
		want   []string
		err    error
	}{
		"nothing":               {nil, []string{""}, io.EOF},
		"one":                   {[][]byte{wireFrame(0x81, "mask", "text")}, []string{"text", ""}, io.EOF},
		"one without a mask":    {[][]byte{wireFrame(0x82, "", "text")}, []string{"text", ""}, io.EOF},
		"fragments":             {[][]byte{wireFrame(0x01, "abcd", "te"), wireFrame(0x00, "efgh", "x"), wireFrame(0x80, "ijkl", "t")}, []string{"text", ""}, io.EOF},
		"a ping in between":     {[][]byte{wireFrame(0x01, "abcd", "te"), wireFrame(0x89, "efgh", "ping"), wireFrame(0x80, "ijkl", "xt")}, []string{"ping", "text", ""}, io.EOF},
		"sizes of two and four": {[][]byte{wireFrame(0x81, "mask", long), wireFrame(0x81, "mask", huge)}, []string{long, huge, ""}, io.EOF},
		"cut in a body":         {[][]byte{wireFrame(0x01, "mask", "te"), wireFrame(0x80, "mask", "xt...")[:8]}, []string{"text"}, io.ErrUnexpectedEOF},
		"cut in a head":         {[][]byte{wireFrame(0x81, "mask", "text"), {0x81}}, []string{"text", ""}, io.ErrUnexpectedEOF},
		"cut in a size":         {[][]byte{{0x81, 127, 0}}, []string{""}, io.ErrUnexpectedEOF},
		"cut in a mask":         {[][]byte{{0x81, 0x81, 0}}, []string{""}, io.ErrUnexpectedEOF},
		"too long":              {[][]byte{{0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255}}, []string{""}, errMessage},
		"too long together":     {[][]byte{wireFrame(0x01, "", huge), {0x00, 127, 0, 0, 0, 0, 0, 15, 240, 0}}, []string{huge}, errMessage},
	}
	for name, tt := range tests {
		var got []string
		err := readMessages(bytes.NewReader(bytes.Join(tt.frames, nil)), func(m []byte) { got = append(got, string(m)) })
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: error %v, want %v", name, err, tt.err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func FuzzReadMessages(f *testing.F) {
	f.Add([]byte{0x81, 0x84, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(bytes.Repeat([]byte{0x01, 127}, 20))
	f.Fuzz(func(t *testing.T, b []byte) {
		total := 0
		readMessages(bytes.NewReader(b), func(m []byte) { total += len(m) })
		if total > len(b) {
			t.Errorf("%d bytes of %d", total, len(b))
		}
		upgrade(bufio.NewReader(bytes.NewReader(b)), io.Discard)
	})
}

func TestWebSocketTakesOffTheMask(t *testing.T) {
	tr := newTrial(t)
	text := tr.text(channel.WebSocket)
	request := []byte("GET /chat HTTP/1.1\r\nHost: x\r\nSec-WebSocket-Key: x\r\n\r\n")
	for name, frames := range map[string][][]byte{
		"whole":     {wireFrame(0x81, "mask", text)},
		"fragments": {wireFrame(0x01, "mask", text[:3]), wireFrame(0x89, "ping", "x"), wireFrame(0x80, "ksam", text[3:])},
		"not ended": {wireFrame(0x01, "mask", text)},
		"control":   {wireFrame(0x88, "mask", "\x03\xe8"+text)},
	} {
		t.Run(name, func(t *testing.T) {
			o := newProtocol(t, tr, NewWebSocket)
			if err := sendTo(t.Context(), "tcp4", o.Addr(), append([][]byte{request}, frames...)...); err != nil {
				t.Fatal("a send failed")
			}
			finish(t, o, map[channel.ID]int{channel.WebSocket: 1})
		})
	}
}

func TestWebSocketAnswersTheRequest(t *testing.T) {
	o := newProtocol(t, newTrial(t), NewWebSocket)
	c := dial(t, "tcp4", o.Addr())
	write(t, c, "GET / HTTP/1.1\r\nHost: x\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	answer := make([]byte, 200)
	n, _ := c.Read(answer)
	if !strings.Contains(string(answer[:n]), "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n") { // RFC 6455, 1.3
		t.Error("the answer proves nothing")
	}
	c.Close()
	finish(t, o, nil)
}

func TestWebSocketCountsAMessageThatIsTooLong(t *testing.T) {
	tr := newTrial(t)
	o := newProtocol(t, tr, NewWebSocket)
	request := []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if err := sendTo(t.Context(), "tcp4", o.Addr(), request, []byte{0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0}); err != nil {
		t.Fatal("a send failed")
	}
	if h := collect(t, o).Hearing; h.Drops != 1 {
		t.Errorf("%+v", h)
	}
}

// What is not in the protocol is searched like any other connection, and
// loses nothing.
func TestProtocolsSearchWhatTheyDoNotUnderstand(t *testing.T) {
	tr := newTrial(t)
	for _, make := range []func(*canary.Watch, Pilots) (*Protocol, error){NewWebSocket, NewTLS, NewShreds, NewUrgent} {
		o := newProtocol(t, tr, make)
		for _, b := range []string{tr.text(channel.NetTCP4), "\x16\x03\x01" + tr.text(channel.NetTCP4), "GET / HTTP/1.1\r\n\r\n" + tr.text(channel.NetTCP4), ""} {
			if err := sendTo(t.Context(), "tcp4", o.Addr(), []byte(b)); err != nil {
				t.Fatal("a send failed")
			}
		}
		pilot(t, o, channel.PilotAfter)
		r := collect(t, o)
		sound(t, r)
		if len(r.Observations) != 1 || r.Observations[0].Sightings < 3 {
			t.Errorf("%s: %v", r.Hearing.Sink, r.Observations)
		}
	}
}

func TestTLSSeesPiecesAndClientsThatStay(t *testing.T) {
	tr := newTrial(t)
	o := newProtocol(t, tr, NewTLS)
	c := tls.Client(dial(t, "tcp4", o.Addr()), &tls.Config{InsecureSkipVerify: true})
	for _, digit := range []byte(tr.text(channel.TLSBody)) {
		if _, err := c.Write([]byte{digit}); err != nil {
			t.Fatal("a write failed")
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	o.book.pilot(channel.TLSBody, 1)
	o.book.await(ctx, channel.TLSBody)
	if ctx.Err() != nil {
		t.Error("what a client said is seen only when it ends")
	}
	c.CloseWrite()
	c.NetConn().(*net.TCPConn).CloseWrite()
	finish(t, o, map[channel.ID]int{channel.TLSBody: 1})
}

func TestShredsAreInTheOrderOfConnections(t *testing.T) {
	tr := newTrial(t)
	o := newProtocol(t, tr, NewShreds)
	var open []net.Conn
	for _, b := range raw(t, tr.text(channel.TCPShreds)) {
		c := dial(t, "tcp4", o.Addr())
		write(t, c, string([]byte{b}))
		open = append(open, c)
	}
	for i := len(open) - 1; i >= 0; i-- { // they end in another order
		open[i].Close()
	}
	if err := sendTo(t.Context(), "tcp4", o.Addr(), []byte("more than one byte")); err != nil {
		t.Fatal("a send failed")
	}
	finish(t, o, map[channel.ID]int{channel.TCPShreds: 1})
}

func TestShredsThatOneHoldsUpAreDrops(t *testing.T) {
	s := &shreds{watch: newTrial(t).watch, book: newLedger(), waiting: map[int][]byte{}}
	for n := range maxWaiting + 2 {
		s.put(n+1, []byte{0})
	}
	if drops := s.book.report(channel.SinkShreds).Hearing.Drops; drops != 2 {
		t.Errorf("%d drops, want 2", drops)
	}
}

func TestUrgentBytesAreKept(t *testing.T) {
	tr := newTrial(t)
	o := newProtocol(t, tr, NewUrgent)
	c := dial(t, "tcp4", o.Addr())
	text := tr.text(channel.TCPUrgent)
	write(t, c, text[:10])
	if err := writeUrgent(c.(*net.TCPConn), text[10]); err != nil {
		t.Fatal("a write failed")
	}
	write(t, c, text[11:])
	c.Close()
	finish(t, o, map[channel.ID]int{channel.TCPUrgent: 1})
}
