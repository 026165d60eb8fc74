package container

import "postern/observers/canary/layer"

const recordDepth = 32

// leaves gathers the values of one piece of structured bytes by where they stand
// in it: the same field of all records, of any depth, is one column.
type leaves struct {
	c     columns
	names map[string]int
	total int
	bad   bool
}

const leavesNames = 512

func (l *leaves) column(path string) int {
	col, ok := l.names[path]
	if !ok {
		col = len(l.names)
		if col >= leavesNames {
			return leavesNames
		}
		if l.names == nil {
			l.names = map[string]int{}
		}
		l.names[path] = col
	}
	return col
}

func (l *leaves) text(path string, b []byte) {
	if !l.c.next() {
		l.bad = true
		return
	}
	l.total++
	l.c.text(l.column(path), b)
}

func (l *leaves) num(path string, v uint64) {
	if !l.c.next() {
		l.bad = true
		return
	}
	l.total++
	l.c.num(l.column(path), v)
}

// recordMax is the longest piece that is tried as one record.
const recordMax = 16 << 20

// openRecords tries each encoding that has no magic: a piece has to be one from
// beginning to end, but for a length before it.
func openRecords(w *work) {
	b := w.b
	if len(b) < 8 || len(b) > recordMax {
		return
	}
	w.record(Protobuf, 0, b, readProtobufStream)
	if len(b) > 5 && b[0] <= 1 {
		w.record(Protobuf, 5, b[5:], readProtobuf) // a message of gRPC
	}
	w.record(Msgpack, 0, b, readMsgpack)
	w.record(Cbor, 0, b, readCbor)
	w.record(Bson, 0, b, readBson)
	w.record(Der, 0, b, readDer)
}

// record shows what a reader makes of b, if it makes sense to the end.
func (w *work) record(t layer.Technique, off int, b []byte, read func(l *leaves, b []byte) bool) {
	l := &w.leaves
	*l = leaves{}
	if read(l, b) && l.total > 0 && !l.bad {
		l.c.show(w, t, off, true)
	}
	w.charge(min(len(b), 64*l.total))
}
