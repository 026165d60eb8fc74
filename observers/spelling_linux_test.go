package observers

import (
	"encoding/hex"
	"math/big"
	"testing"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
)

func TestConsoleLevelsArePutTogetherFromAnyBeginning(t *testing.T) {
	tr := newTrial(t)
	raw, err := hex.DecodeString(tr.text(channel.KernelPrintk))
	if err != nil {
		t.Fatal("the canary is no number")
	}
	var symbols []byte
	for n := range 3 * 64 {
		symbols = append(symbols, raw[n/4%16]>>(6-n%4*2)&3)
	}
	for from := range 64 {
		var seen int
		for _, packed := range packBits(symbols[from : from+2*64]) {
			seen += tally(tr.watch.Scan(packed))[channel.KernelPrintk]
		}
		if seen == 0 {
			t.Errorf("nothing was found from symbol %d", from)
		}
	}
}

func TestClockErrorsArePutTogether(t *testing.T) {
	tr := newTrial(t)
	whole, ok := new(big.Int).SetString(tr.text(channel.KernelClock), 16)
	if !ok {
		t.Fatal("the canary is no number")
	}
	pieces := map[int]uint64{}
	for n := range 7 {
		pieces[n] = new(big.Int).Rsh(whole, uint(20*n)).Uint64() & (1<<20 - 1)
	}
	if assemble(pieces) != tr.text(channel.KernelClock) {
		t.Error("the pieces make another number")
	}
}

func TestDeadlinesArePutTogether(t *testing.T) {
	for _, bits := range []uint64{0, 1, 1 << 22, 1 << 44, 1<<64 - 1, 0x0123456789abcdef} {
		a := &unix.SchedAttr{
			Runtime: 1_000_000 + bits>>44, Deadline: 1_500_000_000 + bits>>22&(1<<22-1), Period: 2_000_000_000 + bits&(1<<22-1),
		}
		if a.Runtime > a.Deadline || a.Deadline > a.Period {
			t.Errorf("%#x makes lengths that the kernel refuses", bits)
		}
		if got := spelt(a); got != bits {
			t.Errorf("%#x reads as %#x", bits, got)
		}
	}
}

func TestIDMapsOfTheHostSpellNothing(t *testing.T) {
	for text, want := range map[string]int{
		"         0          0 4294967295\n":                     0,
		"         7       1000          1\n":                     4,
		"         7       1000          1\n    8    1001    1\n": 8,
		"":                0,
		"a b c\n":         0,
		"99999999999 1 1": 0,
		"1 2\n":           0,
	} {
		if got := len(mapped(text)); got != want {
			t.Errorf("%q: %d bytes, want %d", text, got, want)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add("7 1000 1\n", []byte{0, 1, 2, 3}, uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, text string, symbols []byte, a, b uint64) {
		if len(mapped(text))%4 != 0 {
			t.Error("a map spells half a number")
		}
		packBits(symbols)
		if len(assemble(map[int]uint64{int(a % 7): a, int(b % 7): b})) != 32 {
			t.Error("pieces make no number of 128 bits")
		}
		spelt(&unix.SchedAttr{Runtime: a, Deadline: b, Period: a})
	})
}
