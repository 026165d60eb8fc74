package watchdog

import (
	"encoding/binary"
	"io"
)

// message is all that goes through the pipes: a kind and a number. There is no
// room for anything of the payload.
type message struct {
	kind   kind
	number uint64
}

type kind byte

// To the program, in this order: one arming, heartbeats, one disarming.
const (
	arm    kind = 'a' // number: the container's first process
	beat   kind = 'b' // number: 1, 2, 3 ...
	disarm kind = 'd' // number: the one after the last heartbeat's
)

// From the program.
const (
	armed    kind = 'A' // number: 1 by a pidfd and the Engine, 0 by the Engine alone
	refused  kind = 'R' // number: a reason
	answered kind = 'B' // number: that of the heartbeat or disarming
)

// size of a message in bytes. It is below PIPE_BUF, so that a write is whole
// or none of it is (pipe(7)).
const size = 9

func (m message) encode() []byte {
	return binary.BigEndian.AppendUint64([]byte{byte(m.kind)}, m.number)
}

// decode knows no message of an unknown kind.
func decode(b [size]byte) (message, bool) {
	m := message{kind: kind(b[0]), number: binary.BigEndian.Uint64(b[1:])}
	switch m.kind {
	case arm, beat, disarm, armed, refused, answered:
		return m, true
	default:
		return message{}, false
	}
}

// receive gives the messages of a pipe, and closes the channel where there are
// no more: at its end, and at the first that is none. It ends with the pipe,
// or with done.
func receive(pipe io.Reader, done <-chan struct{}) <-chan message {
	out := make(chan message)
	go func() {
		defer close(out)
		for {
			var b [size]byte
			if _, err := io.ReadFull(pipe, b[:]); err != nil {
				return
			}
			m, ok := decode(b)
			if !ok {
				return
			}
			select {
			case out <- m:
			case <-done:
				return
			}
		}
	}()
	return out
}
