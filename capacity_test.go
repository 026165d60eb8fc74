package main

import (
	"testing"

	"postern/reports"
)

func TestCapacity(t *testing.T) {
	for _, c := range []struct {
		recovered, errors int
		us                int64
		want              float64
	}{
		{0, 0, 1_000_000, 0},
		{128, 0, 0, 0},
		{128, 0, 1_000_000, 128},
		{128, 64, 1_000_000, 0}, // as good as a coin
		{128, 128, 1_000_000, 0},
		{100, 11, 1_000_000, 50}, // H(0.11) is 0.4999
		{128, 0, 60_000_000, 2.13},
		{1, 0, 3_600_000_000, 0.000278},
		{1_000_000, 0, 777_777, 1290000},
	} {
		r := reports.Residual{BitsSent: 1_000_000, BitsRecovered: c.recovered, BitErrors: c.errors, DurationUS: c.us}
		if got := capacity(r); got != c.want {
			t.Errorf("%d bits, %d wrong, in %d us: %v bits a second, want %v", c.recovered, c.errors, c.us, got, c.want)
		}
	}
}
