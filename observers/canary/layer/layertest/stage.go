// Package layertest holds what every stage and every finder of a canary search
// promises, whatever the bytes are, for their packages' tests and fuzz targets.
//
// It counts bytes, views and memory, and never seconds: a busy machine
// stretches those.
package layertest

import (
	"bytes"
	"crypto/sha256"
	"runtime"

	"postern/observers/canary/layer"
)

// TB is the part of testing.TB that a check needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Bounds are what a package promises of its stages beside the room.
type Bounds struct {
	Room   int // that a check gives
	Views  int // the most of one stage; 0 where the room is the only bound
	Yield  int // bytes of views for each byte of a piece; 0 where the room is the only bound
	Beside int // bytes of views whatever the piece is, where Yield is set
	Memory int // bytes that opening a piece allocates, beside Each for each byte of it
	Each   int
}

// seen is what one go of a stage yielded.
type seen struct {
	views []layer.View
	sums  [][sha256.Size]byte // of the views, when they were yielded
	total int
	spent bool
}

func open(s layer.Stage, b []byte, size int) seen {
	var got seen
	room := layer.NewRoom(size)
	s.Open(b, room, func(v layer.View) bool {
		got.views = append(got.views, v)
		got.sums = append(got.sums, sha256.Sum256(v.Bytes))
		got.total += len(v.Bytes)
		return true
	})
	got.spent = room.Spent()
	return got
}

// Stage opens b with a stage, a few times, and fails where a promise is broken.
func Stage(t TB, s layer.Stage, b []byte, o Bounds) {
	t.Helper()
	kept := bytes.Clone(b)
	before := allocated()
	first := open(s, b, o.Room)
	if took := allocated() - before; o.Memory > 0 && took > uint64(o.Memory+o.Each*len(b)) {
		t.Fatalf("%s: %d bytes of memory for %d", s.Technique, took, len(b))
	}
	first.bounded(t, s, b, o)
	first.kept(t, s)
	first.repeated(t, s, b, o)
	first.told(t, s, b)
	stopped(t, s, b, len(first.views))
	if !bytes.Equal(b, kept) {
		t.Fatalf("%s: it changed its input", s.Technique)
	}
}

// bounded holds that no view is empty, which would be free of the room and so
// without bound.
func (got seen) bounded(t TB, s layer.Stage, b []byte, o Bounds) {
	t.Helper()
	for _, v := range got.views {
		if v.Offset < 0 || v.Offset > len(b) || len(v.Bytes) == 0 {
			t.Fatalf("%s: a view of %d bytes from %d of %d", s.Technique, len(v.Bytes), v.Offset, len(b))
		}
	}
	if got.total > o.Room {
		t.Fatalf("%s: %d bytes of room for %d", s.Technique, got.total, o.Room)
	}
	if o.Views > 0 && len(got.views) > o.Views {
		t.Fatalf("%s: %d views", s.Technique, len(got.views))
	}
	if o.Yield > 0 && got.total > o.Yield*len(b)+o.Beside {
		t.Fatalf("%s: %d bytes of views for %d", s.Technique, got.total, len(b))
	}
}

// kept holds that what the receiver was given stays as it was: it waits for its
// turn, and the stage may not use it again.
func (got seen) kept(t TB, s layer.Stage) {
	t.Helper()
	for i, v := range got.views {
		if sha256.Sum256(v.Bytes) != got.sums[i] {
			t.Fatalf("%s: view %d was changed after it was yielded", s.Technique, i)
		}
	}
}

// repeated holds that the same bytes give the same views in the same order.
func (got seen) repeated(t TB, s layer.Stage, b []byte, o Bounds) {
	t.Helper()
	again := open(s, b, o.Room)
	if len(again.views) != len(got.views) || again.spent != got.spent {
		t.Fatalf("%s: %d views, spent %v, and then %d, %v", s.Technique, len(got.views), got.spent, len(again.views), again.spent)
	}
	for i, v := range again.views {
		w := got.views[i]
		if v.Offset != w.Offset || v.Technique != w.Technique || again.sums[i] != got.sums[i] {
			t.Fatalf("%s: view %d is another the second time", s.Technique, i)
		}
	}
}

// told holds that a room is never too small in silence: a byte less than what
// was yielded is too small.
func (got seen) told(t TB, s layer.Stage, b []byte) {
	t.Helper()
	if got.total == 0 {
		return
	}
	less := open(s, b, got.total-1)
	if less.total > got.total-1 || !less.spent {
		t.Fatalf("%s: %d bytes of room for %d, spent %v", s.Technique, less.total, got.total-1, less.spent)
	}
}

// stopped holds that nothing is yielded to a receiver that had enough: after
// the first view, and after one in the middle.
func stopped(t TB, s layer.Stage, b []byte, views int) {
	t.Helper()
	for _, enough := range []int{1, views/2 + 1} {
		calls := 0
		s.Open(b, layer.NewRoom(1<<30), func(layer.View) bool { calls++; return calls < enough })
		if calls > enough {
			t.Fatalf("%s: %d views after the receiver had enough", s.Technique, calls-enough)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
