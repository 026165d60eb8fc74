package scan_test

import (
	"slices"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/scan"
)

// What is cut off says nothing more in more room, what wanted room does: only the
// second is opened again.
func TestOnlyWhatWantsRoomIsOpenedAgain(t *testing.T) {
	secrets, _ := mint(1)
	for name, c := range map[string]struct {
		open  func(room *layer.Room)
		again bool
		want  scan.Reason
	}{
		"cut off":           {func(room *layer.Room) { room.Spend() }, false, scan.Cut},
		"asks for too much": {func(room *layer.Room) { room.Take(1 << 40) }, true, scan.Cut},
		"uses all up":       {func(room *layer.Room) { room.Take(room.Left()); room.Spend() }, true, scan.Budget},
	} {
		calls := 0
		part := scan.Part{Kind: scan.Opens, Stage: layer.Stage{Technique: "part", Open: func(_ []byte, room *layer.Room, _ func(layer.View) bool) {
			calls++
			c.open(room)
		}}}
		got := scanner(t, secrets, scan.Options{Parts: []scan.Part{part}, Workers: 1}).Bytes(t.Context(), words(100))
		if again := calls > 1; again != c.again || !slices.Equal(got.Unproven, []scan.Reason{c.want}) {
			t.Errorf("%s: opened %d times, %v", name, calls, got.Unproven)
		}
	}
}

// Of a large text some parts make several times as much: it is made once.
func TestALargeTextIsReadInManyWaysInOneRound(t *testing.T) {
	secrets, _ := mint(1)
	in := words(300 << 10)
	for kind, again := range map[scan.Kind]bool{scan.Decodes: false, scan.Opens: true} {
		calls := 0
		part := scan.Part{Kind: kind, Stage: layer.Stage{Technique: "part", Open: func(b []byte, room *layer.Room, _ func(layer.View) bool) {
			if len(b) == len(in) {
				calls++
				room.Take(5 * len(b))
			}
		}}}
		scanner(t, secrets, scan.Options{Parts: []scan.Part{part}, Workers: 1}).Bytes(t.Context(), in)
		if calls > 1 != again {
			t.Errorf("kind %d: opened %d times", kind, calls)
		}
	}
}
