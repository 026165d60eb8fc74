package residual

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"postern/fixtures/channel"
)

func TestEveryResidualChannelIsRead(t *testing.T) {
	ways := Ways()
	for _, r := range channel.Residuals() {
		if ways[r.ID].Receive == nil {
			t.Errorf("%s: nobody reads it", r.ID)
		}
		delete(ways, r.ID)
	}
	for id := range ways {
		t.Errorf("%s: read, but not registered", id)
	}
}

func TestInformation(t *testing.T) {
	for _, tt := range []struct{ heard, wrong, want int }{
		{0, 0, 0}, {128, 0, 128}, {128, 64, 0}, {128, 128, 0}, {8, 0, 8}, {128, 1, 119}, {128, 14, 64}, {100, 50, 0},
	} {
		if got := Information(tt.heard, tt.wrong); got != tt.want {
			t.Errorf("%d heard, %d wrong: %d bits, want %d", tt.heard, tt.wrong, got, tt.want)
		}
	}
}

func TestErrorsCountsWhatDiffers(t *testing.T) {
	sent := []byte{0b10110000}
	for _, tt := range []struct {
		heard Bits
		want  int
	}{
		{nil, 0},
		{Bits{true, false, true, true}, 0},
		{Bits{false, false, true, true}, 1},
		{Bits{true, false, true, true, false, false, false, false, true, false}, 2}, // beyond what was sent
	} {
		if got := Errors(sent, tt.heard); got != tt.want {
			t.Errorf("%v: %d wrong, want %d", tt.heard, got, tt.want)
		}
	}
}

const secret = "00112233445566778899aabbccddeeff"

func TestTextAndNames(t *testing.T) {
	if got := inText("x /proc/self/exe idle " + secret + " y"); Errors([]byte{0, 0x11, 0x22}, got[:24]) != 0 || len(got) != 128 {
		t.Errorf("in text: %d bits", len(got))
	}
	for _, none := range []string{"", secret[1:], secret + "0", "0" + secret} {
		if inText(none) != nil {
			t.Errorf("%q was taken for a canary", none)
		}
	}
	names := fmt.Sprintf("agent\n1:%s\n0:%s\n2:%s\n", secret[11:22], secret[:11], secret[22:])
	if got := inNames(names); !slices.Equal(got, inText(secret)) {
		t.Errorf("in names: %d bits", len(got))
	}
	if got := inNames("0:" + secret[:11]); got != nil {
		t.Errorf("one name of three: %d bits", len(got))
	}
}

// sent is a trace as a sender of symbols leaves it, read with noise.
func sent(m modulation, symbols []int, noise float64) []sample {
	r := rand.New(rand.NewPCG(1, 2))
	top := float64(int(1)<<m.bits - 1)
	var levels []float64
	for _, part := range []float64{0, top, 0} {
		levels = append(levels, slices.Repeat([]float64{part}, preamble)...)
	}
	for _, s := range symbols {
		levels = append(levels, float64(s))
	}
	levels = append(levels, 0, 0)
	var trace []sample
	for at := time.Duration(0); at < time.Duration(len(levels))*m.slot; at += m.slot / samples {
		trace = append(trace, sample{at, 100 + 7*levels[at/m.slot] + noise*(r.Float64()-0.5)})
	}
	return trace
}

func TestDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, bits := range []int{1, 2, 4} {
		m := modulation{bits: bits, slot: 40 * time.Millisecond}
		want := make([]int, messageBits/bits)
		for i := range want {
			want[i] = r.IntN(1 << bits)
		}
		if got := decode(sent(m, want, 3), m); !slices.Equal(got, want) {
			t.Errorf("%d bits a symbol: %v, want %v", bits, got, want)
		}
		flat := sent(m, make([]int, len(want)), 0)
		for i := range flat {
			flat[i].value = 5
		}
		if got := decode(flat, m); got != nil {
			t.Errorf("%d bits a symbol: %v where nothing was sent", bits, got)
		}
		if got := decode(nil, m); got != nil {
			t.Errorf("%v without a trace", got)
		}
	}
}
