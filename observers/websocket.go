package observers

import (
	"bufio"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	maxMessage = 1 << 20                                // bytes of a message; more is a drop
	acceptSalt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11" // RFC 6455, 1.3
)

// NewWebSocket is a server that takes the mask off the frames of WebSocket
// connections and joins their fragments.
func NewWebSocket(watch *canary.Watch, pilots Pilots) (*Protocol, error) {
	o := &Protocol{sink: channel.SinkWebSocket, book: newLedger(), say: sayFrames}
	o.hear = func(_ int, c net.Conn) {
		r := bufio.NewReader(c)
		if err := upgrade(r, c); err != nil {
			return // then it is a connection like any other
		}
		err := readMessages(r, func(m []byte) { o.book.found(tally(watch.Scan(m))) })
		if errors.Is(err, errMessage) {
			o.book.lost(1)
		}
	}
	return o.listen(watch, pilots)
}

// upgrade answers the request that begins a connection.
func upgrade(r *bufio.Reader, w io.Writer) error {
	q, err := http.ReadRequest(r)
	if err != nil {
		return err
	}
	sum := sha1.Sum([]byte(q.Header.Get("Sec-WebSocket-Key") + acceptSalt))
	_, err = io.WriteString(w, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Accept: "+base64.StdEncoding.EncodeToString(sum[:])+"\r\n\r\n")
	return err
}

var errMessage = errors.New("a message is longer than the observer may read")

// readMessages hands over every message, and every frame of control between
// its fragments. At the end it hands over what is there of the last.
func readMessages(r io.Reader, take func([]byte)) error {
	var message []byte
	defer func() { take(message) }()
	for {
		f, err := readFrame(r, maxMessage-len(message))
		switch {
		case err != nil:
			message = append(message, f.body...)
			return err
		case f.control():
			take(f.body)
		default:
			message = append(message, f.body...)
			if f.final() {
				take(message)
				message = nil
			}
		}
	}
}

// webFrame is RFC 6455, 5.2.
type webFrame struct {
	head byte
	body []byte // without its mask
}

func (f webFrame) final() bool   { return f.head&0x80 != 0 }
func (f webFrame) control() bool { return f.head&0x08 != 0 }

// readFrame reads one frame. When it ends early, it returns what is there.
func readFrame(r io.Reader, limit int) (f webFrame, err error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return f, err
	}
	size := uint64(head[1] & 0x7f)
	if wide := map[uint64]int{126: 2, 127: 8}[size]; wide > 0 {
		var long [8]byte
		if _, err := io.ReadFull(r, long[8-wide:]); err != nil {
			return f, err
		}
		size = binary.BigEndian.Uint64(long[:])
	}
	if size > uint64(limit) {
		return f, errMessage
	}
	var mask [4]byte
	if head[1]&0x80 != 0 {
		if _, err := io.ReadFull(r, mask[:]); err != nil {
			return f, err
		}
	}
	f = webFrame{head: head[0], body: make([]byte, size)}
	n, err := io.ReadFull(r, f.body)
	f.body = f.body[:n]
	for i := range f.body {
		f.body[i] ^= mask[i%4]
	}
	return f, err
}

// sayFrames says a text as a message of two fragments.
func sayFrames(ctx context.Context, address, text string) error {
	const request = "GET / HTTP/1.1\r\nHost: pilot\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Key: cG9zdGVybnBpbG90cGk=\r\nSec-WebSocket-Version: 13\r\n\r\n"
	half := len(text) / 2
	return sendTo(ctx, "tcp4", address, []byte(request), maskedFrame(0x01, text[:half]), maskedFrame(0x80, text[half:]))
}

// maskedFrame is one of fewer than 126 bytes.
func maskedFrame(head byte, text string) []byte {
	mask := [4]byte{0x11, 0x22, 0x33, 0x44}
	out := append([]byte{head, 0x80 | byte(len(text))}, mask[:]...)
	for i := range len(text) {
		out = append(out, text[i]^mask[i%4])
	}
	return out
}
