package container

import (
	"io"

	"postern/observers/canary/layer"
)

// shareFloor is what every candidate may yield before it gives way to others.
const shareFloor = 1 << 20

// partMax bounds a view that stands in the input as it is: a longer one was
// searched there already.
const partMax = 1 << 20

// work is one piece being taken apart.
type work struct {
	b      []byte
	room   *layer.Room
	yield  func(layer.View) bool
	done   bool     // nobody listens, or there is no room
	effort int      // bytes that may still be read, over all attempts
	again  []func() // what was cut off for the sake of its neighbours
	last   bool     // nothing comes after: no need to give way
	pools  *pools
	leaves leaves // of the record that is being read
}

// effortFor keeps the sum of all attempts linear.
func effortFor(n int) int { return 64*n + 4<<20 }

// guard ends what panics inside and says that it was not read to its end.
func (w *work) guard(f func()) {
	defer func() {
		if recover() != nil {
			w.room.Spend()
		}
	}()
	f()
}

// finish reads what gave way to its neighbours.
func (w *work) finish() {
	w.last = true
	for _, f := range w.again {
		if w.done {
			w.room.Spend()
			return
		}
		w.guard(f)
	}
}

// charge counts n bytes of reading, and stops the work when it becomes too much.
func (w *work) charge(n int) bool {
	w.effort -= n
	if w.effort < 0 {
		w.room.Spend()
		w.done = true
	}
	return !w.done
}

// view yields what there is room for, and no empty view.
func (w *work) view(t layer.Technique, off int, b []byte) bool {
	if w.done || len(b) == 0 {
		return !w.done
	}
	if n := w.room.Left(); len(b) > n {
		w.room.Spend()
		w.done, b = true, b[:n]
	}
	if len(b) > 0 && w.room.Take(len(b)) && !w.yield(layer.View{Technique: t, Offset: off, Bytes: b}) {
		w.done = true
	}
	return !w.done
}

// part yields bytes that stand in the input as they are, so that a stage that
// looks at the beginning of a piece sees where they begin.
func (w *work) part(t layer.Technique, off int, b []byte) bool {
	if len(b) > partMax || len(b) == len(w.b) {
		return !w.done
	}
	return w.view(t, off, b)
}

// limit is how much one candidate may yield now: a fair share as long as others
// may follow.
func (w *work) limit() int {
	if w.last {
		return w.room.Left()
	}
	return min(w.room.Left(), max(shareFloor, w.room.Left()/4))
}

// unpack yields what decode makes within a limit. What is cut off is tried again
// with all the room, when the rest of the piece has been seen.
func (w *work) unpack(t layer.Technique, off int, decode func(limit int) (out []byte, cut bool)) (n int) {
	var out []byte
	var cut bool
	limit := w.limit()
	w.guard(func() { out, cut = decode(limit) })
	w.view(t, off, out)
	switch {
	case !cut:
	case w.last || w.done || limit == w.room.Left()+len(out):
		w.room.Spend()
	default:
		w.again = append(w.again, func() { w.unpack(t, off, decode) })
	}
	return len(out)
}

// drain appends at most limit bytes, growing with what comes; err is why it ended.
func drain(out []byte, r io.Reader, limit int) (_ []byte, cut bool, err error) {
	defer func() {
		if recover() != nil {
			err = io.ErrUnexpectedEOF
		}
	}()
	for err == nil {
		if len(out) >= limit {
			return out[:limit], true, nil
		}
		if len(out) == cap(out) {
			out = append(out, make([]byte, max(512, len(out)))...)[:len(out)]
		}
		var n int
		n, err = r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
	}
	if len(out) > limit {
		return out[:limit], true, nil
	}
	return out, false, err
}
