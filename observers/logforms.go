package observers

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// The messages of the Engine's log drivers, for pilots.

func syslogLine(text string) []byte {
	return fmt.Appendf(nil, "<30>Jan  1 00:00:00 pilot[1]: %s\n", text)
}

func gelfLine(text string) []byte {
	line, err := json.Marshal(map[string]any{"version": "1.1", "host": "pilot", "short_message": text})
	if err != nil {
		return nil
	}
	return append(line, 0) // GELF over TCP ends messages so
}

// gelfDatagram is packed as the driver packs by default, so that a pilot which
// is heard was unpacked.
func gelfDatagram(text string) []byte {
	line := gelfLine(text)
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if line == nil {
		return nil
	}
	if _, err := w.Write(line[:len(line)-1]); err != nil {
		return nil
	}
	if err := w.Close(); err != nil {
		return nil
	}
	return b.Bytes()
}

// fluentdMessage is the forward protocol's [tag, time, {"log": text}], in
// MessagePack.
func fluentdMessage(text string) []byte {
	b := []byte{0x93, 0xa5}
	b = append(b, "pilot"...)
	b = append(b, 0x00, 0x81, 0xa3)
	b = append(b, "log"...)
	b = append(b, 0xd9, byte(len(text)))
	return append(b, text...)
}

func splunkRequest(text string) []byte {
	body := fmt.Sprintf(`{"event":{"line":%q}}`, text)
	return fmt.Appendf(nil, "POST /services/collector/event/1.0 HTTP/1.1\r\nHost: pilot\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// spansRequest delivers spans: one field of protobuf with the text, which the
// gateway's come in too.
func spansRequest(text string) []byte {
	body := append([]byte{0x0a, byte(len(text))}, text...)
	head := fmt.Appendf(nil, "POST /v1/traces HTTP/1.1\r\nHost: pilot\r\nContent-Type: application/x-protobuf\r\nContent-Length: %d\r\n\r\n", len(body))
	return append(head, body...)
}

const (
	maxUnpacked = 8 << 20 // bytes of one message
	maxChunks   = 128     // of one message, says GELF
	maxPartial  = 64      // messages waiting for chunks; what goes beyond is a drop
)

// gelfUnpack searches what GELF datagrams hold, whole or in chunks, once it is
// unpacked. The plain ones are searched by the mailbox.
func gelfUnpack(watch *canary.Watch, book *ledger) func([]byte) map[channel.ID]int {
	g := &gelf{partial: map[string]*chunks{}}
	return func(datagram []byte) map[channel.ID]int {
		s := watch.Stream()
		whole, forgotten := g.join(datagram)
		if !unpackInto(s, whole) {
			forgotten++
		}
		if forgotten > 0 {
			book.lost(forgotten)
		}
		return s.Sightings()
	}
}

// gelf puts chunked messages together.
type gelf struct {
	mu      sync.Mutex
	partial map[string]*chunks // by the id of a message
}

type chunks struct {
	parts [][]byte
	left  int
}

// join gives a message once all of it is there, and says how many others it had
// to forget. A chunk begins with two magic bytes, the message's id of eight,
// its own number and how many there are.
func (g *gelf) join(b []byte) (whole []byte, forgotten int) {
	if len(b) < 12 || b[0] != 0x1e || b[1] != 0x0f {
		return b, 0
	}
	id, n, of := string(b[2:10]), int(b[10]), int(b[11])
	if of == 0 || of > maxChunks || n >= of {
		return nil, 0 // no chunk, and searched as it came
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.partial[id]
	if c == nil {
		if len(g.partial) >= maxPartial {
			forgotten = len(g.partial)
			clear(g.partial)
		}
		c = &chunks{make([][]byte, of), of}
		g.partial[id] = c
	}
	if n >= len(c.parts) || c.parts[n] != nil {
		return nil, forgotten
	}
	c.parts[n] = bytes.Clone(b[12:])
	if c.left--; c.left > 0 {
		return nil, forgotten
	}
	delete(g.partial, id)
	return bytes.Join(c.parts, nil), forgotten
}

// unpackInto writes what a message holds and reports whether that was all. One
// that is broken is searched as far as it goes: it was sent all the same.
func unpackInto(w io.Writer, b []byte) (all bool) {
	n, err := io.Copy(w, io.LimitReader(unpacked(b), maxUnpacked+1))
	return err == nil && n <= maxUnpacked
}

// unpacked reads a message by its first bytes, as GELF servers do.
func unpacked(b []byte) io.Reader {
	if r, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		return r
	}
	if r, err := zlib.NewReader(bytes.NewReader(b)); err == nil {
		return r
	}
	return bytes.NewReader(b)
}
