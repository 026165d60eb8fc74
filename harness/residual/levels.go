package residual

import (
	"context"
	"math"
	"slices"
	"time"
)

// modulation is how symbols are sent: as levels, each held for a slot. The
// message follows a preamble of rest, the highest level and rest again, four
// slots each.
type modulation struct {
	bits int           // of a symbol; divides 8
	slot time.Duration // of one symbol
	rate bool          // the level is how fast the counter grows, not where it stands
}

const (
	preamble    = 4   // slots of each of its parts
	messageBits = 128 // of a canary
	samples     = 6   // of a counter in one slot
)

// sample is one reading.
type sample struct {
	at    time.Duration
	value float64
}

// levels samples a counter for as long as a message takes and decodes it.
func levels(ctx context.Context, m modulation, read func() (int64, error)) (Bits, error) {
	trace, err := record(ctx, m, read)
	if err != nil {
		return nil, err
	}
	if m.rate {
		trace = growth(trace)
	}
	return bitsOf(decode(trace, m), m.bits), nil
}

func record(ctx context.Context, m modulation, read func() (int64, error)) ([]sample, error) {
	total := time.Duration(4*preamble+messageBits/m.bits+2) * m.slot
	tick := time.NewTicker(m.slot / samples)
	defer tick.Stop()
	begun := time.Now()
	var trace []sample
	for time.Since(begun) < total {
		v, err := read()
		if err != nil {
			return nil, err
		}
		trace = append(trace, sample{time.Since(begun), float64(v)})
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return trace, nil
}

// growth is how fast a counter grew between two readings.
func growth(trace []sample) []sample {
	var out []sample
	for i := 1; i < len(trace); i++ {
		span := trace[i].at - trace[i-1].at
		out = append(out, sample{trace[i-1].at + span/2, (trace[i].value - trace[i-1].value) / span.Seconds()})
	}
	return out
}

// decode finds the preamble and reads one level in the middle of each slot
// behind it. Where there is no preamble nothing was sent that could be heard.
func decode(trace []sample, m modulation) []int {
	begin, low, high, ok := synchronise(trace, m)
	if !ok {
		return nil
	}
	var symbols []int
	top := float64(int(1)<<m.bits - 1)
	for i := range messageBits / m.bits {
		from := begin + time.Duration(2*preamble+i)*m.slot
		v, heard := middle(trace, from, m.slot)
		if !heard {
			break
		}
		level := math.Round((v - low) / (high - low) * top)
		symbols = append(symbols, int(min(max(level, 0), top)))
	}
	return symbols
}

// synchronise finds where the highest level of the preamble begins, and what
// rest and the highest level are: of all moments early enough, the one at which
// the level stands out most from what is before and behind it.
func synchronise(trace []sample, m modulation) (begin time.Duration, low, high float64, ok bool) {
	span := preamble * m.slot
	best := 0.0
	for _, s := range trace {
		if s.at > 3*span { // the message itself begins no later
			break
		}
		before, heardBefore := middle(trace, s.at-span, span)
		up, heardUp := middle(trace, s.at, span)
		behind, heardBehind := middle(trace, s.at+span, span)
		rise := edge(trace, s.at, m.slot)
		if !heardBefore || !heardUp || !heardBehind || up <= max(before, behind) {
			continue
		}
		if contrast := up - max(before, behind) + rise; contrast > best {
			best, begin, low, high, ok = contrast, s.at, behind, up, true
		}
	}
	return begin - m.slot/samples/2, low, high, ok
}

// edge is how much higher the slot that begins at a moment is than the one
// that ends there: it tells the very beginning from moments beside it.
func edge(trace []sample, at, slot time.Duration) float64 {
	var before, behind, n, k float64
	for _, s := range trace {
		switch {
		case s.at >= at-slot && s.at < at:
			before, n = before+s.value, n+1
		case s.at >= at && s.at < at+slot:
			behind, k = behind+s.value, k+1
		}
	}
	if n == 0 || k == 0 {
		return 0
	}
	return behind/k - before/n
}

// middle is the median of what was read in the middle half of a span.
func middle(trace []sample, from, span time.Duration) (float64, bool) {
	var values []float64
	for _, s := range trace {
		if s.at >= from+span/4 && s.at <= from+span*3/4 {
			values = append(values, s.value)
		}
	}
	if len(values) == 0 {
		return 0, false
	}
	slices.Sort(values)
	return values[len(values)/2], true
}
