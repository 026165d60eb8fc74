package record

import (
	"encoding/binary"
	"math"
	"slices"

	"postern/observers/canary/layer"
)

const strideMost = 64 // bytes from one piece of the secret to the next

// openStride reads the piece as rows of n bytes, downwards: every n-th byte
// from each start, a field of fixed records, a transposition. All n where the
// piece is small, the likeliest where it is not.
func openStride(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) < 2*shortest || len(b) > large {
		return
	}
	o := newOut("stride", len(b), room, yield)
	for _, n := range strides(b) {
		if !o.give(0, columns(b, n, 1)) {
			return
		}
		if n <= 32 && len(b) <= 8<<10 {
			o.give(0, columns(b, n, 2))
			o.give(0, columns(b, n, 4))
		}
	}
	for _, turn := range rearranged() {
		if len(b) <= thoroughMost && !o.give(0, turn(b)) {
			return
		}
	}
}

// strides are all of them, or those at which bytes most often repeat.
func strides(b []byte) []int {
	all := make([]int, 0, strideMost)
	for n := 2; n <= strideMost && 2*n <= len(b); n++ {
		all = append(all, n)
	}
	for n := 128; n <= 1024 && 8*n <= len(b); n *= 2 {
		all = append(all, n)
	}
	if len(b) <= 2<<10 {
		return all
	}
	score := map[int]int{}
	for _, n := range all {
		score[n] = repeats(b, n)
	}
	slices.SortStableFunc(all, func(a, b int) int { return score[b] - score[a] })
	best := all[:min(4, len(all))]
	if len(b) > thoroughMost {
		return best[:min(2, len(best))]
	}
	for n := 2; n <= 16; n++ {
		if !slices.Contains(best, n) {
			best = append(best, n)
		}
	}
	return best
}

// repeats counts the samples that are the same n bytes on.
func repeats(b []byte, n int) int {
	same := 0
	for i := 0; i+n < min(len(b), 8<<10); i++ {
		if b[i] == b[i+n] {
			same++
		}
	}
	return same
}

// columns reads rows of n units of w bytes downwards.
func columns(b []byte, n, w int) []byte {
	if w > 1 && (n%w != 0 || n == w) {
		return nil
	}
	down := make([]byte, 0, len(b)+w*n)
	for start := 0; start < n; start += w {
		for i := start; i < len(b); i += n {
			down = append(down, b[i:min(i+w, len(b))]...)
		}
	}
	return down
}

// openNumbers reads the piece as an array of floating-point or wide integers
// that hold small numbers.
func openNumbers(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > large || len(b) < 4*shortest {
		return
	}
	o := newOut("numbers", len(b), room, yield)
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for off := range 8 {
			o.give(off, double(order).whole(b[off:]))
			if off < 4 {
				o.give(off, single(order).whole(b[off:]))
			}
		}
	}
}

const fewWhole = 8 // integers in a row, that floating-point numbers are not by chance

// float is one way to write floating-point numbers (IEEE 754).
type float struct {
	width int
	read  func([]byte) float64
	top   int   // the place of the byte with the sign and the high bits of the exponent
	low   uint8 // of that byte without its sign, in the numbers that count, other than 0
	high  uint8
}

func double(order binary.ByteOrder) float {
	return float{8, func(s []byte) float64 { return math.Float64frombits(order.Uint64(s)) }, last(order, 8), 0x3f, 0x41}
}

func single(order binary.ByteOrder) float {
	return float{4, func(s []byte) float64 { return float64(math.Float32frombits(order.Uint32(s))) }, last(order, 4), 0x3b, 0x4b}
}

func last(order binary.ByteOrder, width int) int {
	if order == binary.BigEndian {
		return 0
	}
	return width - 1
}

// may reports whether the k-th number can be one that counts, by one byte of it.
func (f *float) may(b []byte, k int) bool {
	c := b[k*f.width+f.top] & 0x7f
	return c == 0 || f.low <= c && c <= f.high
}

// whole is the runs of integers among floating-point numbers, as low bytes;
// numbers below one count as parts of 256. It looks at the far end of a run first,
// so that most numbers of other bytes are never read.
func (f float) whole(b []byte) []byte {
	var nums []byte
	for k, n := 0, len(b)/f.width; k+fewWhole <= n; {
		far := k + fewWhole - 1
		for far >= k && f.may(b, far) {
			far--
		}
		if far >= k {
			k = far + 1
			continue
		}
		start := len(nums)
		for ; k < n; k++ {
			low, ok := lowOf(f.read(b[k*f.width:]))
			if !ok {
				break
			}
			nums = append(nums, low)
		}
		if len(nums)-start < fewWhole || flat(nums[start:]) {
			nums = nums[:start]
		}
		k++
	}
	return nums
}

func lowOf(f float64) (byte, bool) {
	switch {
	case f == math.Trunc(f) && math.Abs(f) < 1<<24:
		return byte(int64(f)), true
	case math.Abs(f) < 1 && math.Abs(f) > 1.0/512:
		return byte(int64(math.Round(f * 256))), true
	}
	return 0, false
}

func flat(b []byte) bool {
	for _, c := range b {
		if c != b[0] {
			return false
		}
	}
	return true
}
