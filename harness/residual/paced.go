package residual

import (
	"context"
	"time"
)

// The slots of calls that are paced, in the reference and where the bridge
// takes calls at multiples of Quantum only. Sender and reader then keep to
// that: whoever is slowed so can still send.
const (
	PaceSlot = 20 * time.Millisecond
	Quantum  = 100 * time.Millisecond
)

// pacedBits are told by the time between two calls, and pacedBytes by all that
// one session has: sixteen, of which one is the report and one the first.
const (
	pacedBits  = 4
	pacedBytes = 7
)

// pace reads the times between calls. With a quantum, a call that was sent in
// the middle of one is taken at its end.
func pace(ctx context.Context, t Target) (Bits, error) {
	slot, late := PaceSlot, time.Duration(0)
	if t.Quantum > 0 {
		slot, late = t.Quantum, t.Quantum/2
	}
	var at []time.Duration
	if err := calls(ctx, t, func(when time.Duration, _ string) { at = append(at, when) }); err != nil {
		return nil, err
	}
	return bitsOf(gaps(at, slot, late), pacedBits), nil
}

// gaps are the whole slots between moments.
func gaps(at []time.Duration, slot, late time.Duration) []int {
	var symbols []int
	for i := 1; i < len(at); i++ {
		n := int((at[i] - at[i-1] - late) / slot)
		symbols = append(symbols, min(max(n, 0), 1<<pacedBits-1))
	}
	return symbols
}
