package text

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"postern/observers/canary/layer"
)

const (
	longFloat  = 32   // bytes of one number
	floatGap   = 16   // bytes between two
	manyFloats = 4096 // of one list that are read
	offGrid    = 0.1  // of a step, that a rounded number may be beside it
)

// openFloats reads lists of numbers with fractions: whatever whole numbers they
// are when they are multiplied by one of the usual factors.
func openFloats(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := &out{room: room, yield: yield}
	for i := 0; !o.ended; {
		k := bytes.IndexByte(b[i:], '.')
		if k < 0 {
			break
		}
		k += i
		from := k
		for from > i && isDigit(b[from-1]) {
			from--
		}
		if from == k {
			i = k + 1
			continue
		}
		i = o.floats(b, from)
	}
	o.flush()
}

// floats reads the list that begins at from, and returns where it ends.
func (o *out) floats(b []byte, from int) int {
	var vs []float64
	end := from
	for i := from; i < len(b) && i-end <= floatGap && len(vs) < manyFloats; {
		if !isDigit(b[i]) {
			i++
			continue
		}
		v, n := float(b[i:])
		if n == 0 {
			break
		}
		if i > 0 && b[i-1] == '-' {
			v = -v
		}
		vs = append(vs, v)
		i += n
		end = i
	}
	if len(vs) >= fewNumbers {
		o.onGrids(from, vs)
	}
	if end-from >= manyFigures && len(vs) > 1 { // enough for the bytes of a secret
		o.patterns(from, vs)
	}
	return max(end, from+1)
}

// float reads a number with a fraction, in powers of ten perhaps.
func float(b []byte) (v float64, n int) {
	figures := func() {
		for n < len(b) && n < longFloat && isDigit(b[n]) {
			n++
		}
	}
	if figures(); n+1 >= len(b) || b[n] != '.' || !isDigit(b[n+1]) {
		return 0, 0
	}
	n++
	figures()
	if n+2 < len(b) && b[n]|0x20 == 'e' && (isDigit(b[n+1]) || isDigit(b[n+2]) && (b[n+1] == '-' || b[n+1] == '+')) {
		n += 2
		figures()
	}
	v, err := strconv.ParseFloat(string(b[:n]), 64)
	if err != nil {
		return 0, 0
	}
	return v, n
}

// onGrids yields the whole numbers that the list is made of, in each step in
// which it is: parts of ten, of a byte's range, of a hundred of that.
func (o *out) onGrids(at int, vs []float64) {
	decimal := false
	for _, factor := range []float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 2, 15, 16, 127, 128, 255, 256, 2.55, 2.56, 25.5, 25.6, 127.5, 32767, 32768, 65535, 65536} {
		power := math.Mod(math.Log10(factor), 1) == 0
		if power && decimal {
			continue
		}
		for _, shift := range []float64{0, 0.5} {
			if whole, ok := onGrid(vs, factor, shift); ok {
				o.wholes(at, whole)
				decimal = decimal || power
				break
			}
		}
	}
}

func onGrid(vs []float64, factor, shift float64) (whole []int64, ok bool) {
	for _, v := range vs {
		v = v*factor + shift
		near := math.Round(v)
		if math.Abs(v-near) > offGrid || math.Abs(near) > 1<<40 {
			return nil, false
		}
		whole = append(whole, int64(near))
	}
	return whole, true
}

// wholes yields the low bytes of numbers, and those of their distances from the
// least in the largest step that all have in common.
func (o *out) wholes(at int, vs []int64) {
	low, steps := make([]byte, len(vs)), make([]byte, len(vs))
	least, step := vs[0], int64(0)
	for _, v := range vs {
		least = min(least, v)
	}
	for _, v := range vs {
		step = common(v-least, step)
	}
	for i, v := range vs {
		low[i] = byte(v)
		steps[i] = byte((v - least) / max(step, 1))
	}
	o.offer("float-list", at, low)
	o.offer("float-list", at, steps)
}

// patterns yields the bytes of the numbers in memory (IEEE 754), and of the whole
// numbers that they are.
func (o *out) patterns(at int, vs []float64) {
	var single, double, whole []byte
	for _, v := range vs {
		single = binary.BigEndian.AppendUint32(single, math.Float32bits(float32(v)))
		double = binary.BigEndian.AppendUint64(double, math.Float64bits(v))
		if v >= 0 && v < 1<<32 && v == math.Trunc(v) {
			whole = binary.BigEndian.AppendUint32(whole, uint32(v))
		}
	}
	o.offer("float-bits", at, single)
	o.offer("float-bits", at, wordsTurned(single, 4))
	o.offer("float-bits", at, double)
	o.offer("float-bits", at, wordsTurned(double, 8))
	o.offer("float-words", at, whole)
	o.offer("float-words", at, wordsTurned(whole, 4))
}

// wordsTurned has the bytes of each word of n the other way round.
func wordsTurned(b []byte, n int) []byte {
	var out []byte
	for word := range slices.Chunk(b, n) {
		out = append(out, reversed(word)...)
	}
	return out
}

// common is the greatest common divisor.
func common(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
