package residual

import (
	"fmt"
	"slices"
	"testing"
)

func TestLocks(t *testing.T) {
	line := func(i, payload int64) string {
		return fmt.Sprintf("1: POSIX  ADVISORY  READ 77 fe:00:131 %d %d\n", lockMark|i<<48|payload, lockMark|i<<48|payload)
	}
	all := line(2, 0xccdd00000000) + line(0, 0x001122334455) + "2: FLOCK  ADVISORY  WRITE 1 00:01:2 0 EOF\n" + line(1, 0x66778899aabb)
	got := inLocks(all)
	if want := inText("00112233445566778899aabbccdd0000"); !slices.Equal(got, want) {
		t.Errorf("%d bits, not what was locked", len(got))
	}
	for _, none := range []string{"", line(0, 1) + line(1, 2), "a b c d e f g h\n"} {
		if inLocks(none) != nil {
			t.Errorf("%q was taken for a message", none)
		}
	}
}

func FuzzInLocks(f *testing.F) {
	f.Add("1: POSIX  ADVISORY  READ 77 fe:00:131 1621295865853378560 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		if n := len(inLocks(text)); n != 0 && n != 128 {
			t.Errorf("%d bits", n)
		}
	})
}
