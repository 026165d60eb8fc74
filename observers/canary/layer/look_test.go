package layer_test

import (
	"bytes"
	"sync"
	"testing"

	"postern/observers/canary/layer"
)

func TestALookCountsWhatIsThere(t *testing.T) {
	for _, b := range [][]byte{nil, []byte("a"), []byte("banana"), bytes.Repeat([]byte{0, 255, 'x'}, 1001)} {
		l := layer.NewLook(b)
		for c := range 256 {
			if got, want := l.Count(byte(c)), bytes.Count(b, []byte{byte(c)}); got != want {
				t.Errorf("%d bytes: %d of byte %d, not %d", len(b), got, c, want)
			}
		}
	}
}

// A stage that is given other bytes than the look was at must not be told of those.
func TestARoomsLookIsAtTheInput(t *testing.T) {
	b := []byte("some bytes, and more")
	room, shared := layer.NewRoom(9), layer.NewLook(b)
	room.Share(shared)
	if room.Look(b) != shared {
		t.Error("a look at the same bytes is not shared")
	}
	if room.Look(b[:4]).Count('s') != 1 || room.Look([]byte("xx")).Count('x') != 2 {
		t.Error("a look at other bytes")
	}
}

func TestALookIsSharedByGoroutines(t *testing.T) {
	l := layer.NewLook(bytes.Repeat([]byte("ab"), 1<<16))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if l.Count('a') != 1<<16 {
				t.Error("miscounted")
			}
		})
	}
	wg.Wait()
}
