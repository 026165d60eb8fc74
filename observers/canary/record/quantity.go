package record

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"net/netip"
	"slices"
)

const digits = "0123456789abcdef"

// asNumbers is a numeric column as bytes, and the differences of its numbers.
// Where other values stand among them, it is those that are numbers.
func asNumbers(vals [][]byte) []byte {
	if len(vals) < shortest/2 {
		return nil
	}
	if !bytes.ContainsAny(vals[0], digits[:10]) && bytes.ContainsAny(vals[1], digits[:10]) {
		vals = vals[1:] // a table's head
	}
	if pointed := withoutPoint(vals); pointed != nil {
		vals = pointed
	}
	nums := readAll(vals, decimal)
	if nums == nil {
		if nums = readMost(vals, marked); nums == nil {
			return nil
		}
	}
	return quantities(nums)
}

// withoutPoint is the digits of numbers with the same number of decimals, as
// amounts of money have, or nil.
func withoutPoint(vals [][]byte) [][]byte {
	out := make([][]byte, len(vals))
	for i, v := range vals {
		n := bytes.IndexByte(v, '.')
		if n < 1 || len(v)-n != len(vals[0])-bytes.IndexByte(vals[0], '.') || !figures(v[:n]) || !figures(v[n+1:]) {
			return nil
		}
		out[i] = append(append(make([]byte, 0, len(v)), v[:n]...), v[n+1:]...)
	}
	return out
}

func figures(b []byte) bool { return len(b) > 0 && len(bytes.Trim(b, digits[:10])) == 0 }

// readMost reads every value, or at least half of them.
func readMost(vals [][]byte, read func([]byte) (uint64, bool)) []uint64 {
	keys := make([]uint64, 0, len(vals))
	for _, v := range vals {
		if k, ok := read(v); ok {
			keys = append(keys, k)
		}
	}
	if len(keys) < shortest/2 || 2*len(keys) < len(vals) {
		return nil
	}
	return keys
}

// marked reads a number with a sign that it is hexadecimal, or with a unit
// around it.
func marked(b []byte) (uint64, bool) {
	if len(b) > 2 && b[0] == '0' && b[1]|32 == 'x' {
		return hexadecimal(b)
	}
	return embedded(b)
}

// asAddresses is the numbers within each value, as 10.1.2.3 has, and the bytes
// of IPv6 addresses.
func asAddresses(vals [][]byte) []byte {
	var nums, wide []byte
	for _, v := range vals {
		nums = lowBytes(nums, v)
		if len(v) > 1 && len(v) < 46 && bytes.Count(v, []byte{':'}) > 1 {
			if a, err := netip.ParseAddr(string(v)); err == nil {
				wide = append(wide, a.AsSlice()...)
			}
		}
	}
	if len(nums) <= len(vals) && wide == nil {
		return nil
	}
	return append(append(nums, gap...), wide...)
}

// asLengths is how long the values are.
func asLengths(vals [][]byte) []byte {
	nums := make([]uint64, len(vals))
	for i, v := range vals {
		nums[i] = uint64(len(v))
	}
	return quantities(nums)
}

// quantities turns numbers into streams: themselves, their steps, and both
// without the least and the common factor.
func quantities(nums []uint64) []byte {
	if len(nums) < 2 || !slices.ContainsFunc(nums, func(n uint64) bool { return n != nums[0] }) {
		return nil
	}
	steps := make([]uint64, len(nums)-1)
	for i := range steps {
		steps[i] = nums[i+1] - nums[i]
	}
	b := amounts(nil, nums)
	b = append(b, packed(nums)...)
	return amounts(append(b, gap...), steps)
}

// amounts appends the low bytes, the second bytes, the low digits, and the
// lowest bits.
func amounts(b []byte, nums []uint64) []byte {
	b = eachByte(b, nums, func(n uint64) byte { return byte(n) })
	if slices.ContainsFunc(nums, func(n uint64) bool { return n > 0xff }) {
		b = eachByte(b, nums, func(n uint64) byte { return byte(n >> 8) })
	}
	b = eachByte(b, nums, func(n uint64) byte { return digits[n&15] })
	if factor := scale(nums, 0); factor > 1 {
		b = eachByte(b, nums, func(n uint64) byte { return byte(n / factor) })
	}
	least := lowest(nums)
	if factor := scale(nums, least); factor > 1 || least > 0 {
		b = eachByte(b, nums, func(n uint64) byte { return byte((n - least) / factor) })
		b = eachByte(b, nums, func(n uint64) byte { return digits[(n-least)/factor&15] })
	}
	one := make([]bool, len(nums))
	for i, n := range nums {
		one[i] = n&1 != 0
	}
	return append(b, bitStreams(one)...)
}

func eachByte(b []byte, nums []uint64, of func(uint64) byte) []byte {
	for _, n := range nums {
		b = append(b, of(n))
	}
	return append(b, gap...)
}

// lowest is the least number, as a signed one.
func lowest(nums []uint64) uint64 {
	least := nums[0]
	for _, n := range nums {
		if int64(n) < int64(least) {
			least = n
		}
	}
	return least
}

// scale is the greatest common divisor of the distances from a number.
func scale(nums []uint64, from uint64) uint64 {
	factor := uint64(0)
	for _, n := range nums {
		for d := n - from; d != 0; {
			factor, d = d, factor%d
		}
	}
	return max(factor, 1)
}

// packed writes wide numbers at the one width that holds all, both ends first.
func packed(nums []uint64) []byte {
	width := (bits.Len64(slices.Max(nums)) + 7) / 8
	if width < 2 {
		return nil
	}
	var big, little []byte
	for _, n := range nums {
		var be, le [8]byte
		binary.BigEndian.PutUint64(be[:], n)
		binary.LittleEndian.PutUint64(le[:], n)
		big = append(big, be[8-width:]...)
		little = append(little, le[:width]...)
	}
	return append(append(big, gap...), little...)
}

const bitsFewest = 8 * shortest

// bitStreams packs bits into bytes from each of eight starts, the first bit
// highest and lowest.
func bitStreams(one []bool) []byte {
	if len(one) < bitsFewest {
		return nil
	}
	var b []byte
	for phase := range 8 {
		var low []byte
		for i := phase; i+8 <= len(one); i += 8 {
			c := byte(0)
			for k := range 8 {
				c <<= 1
				if one[i+k] {
					c |= 1
				}
			}
			b = append(b, c)
			low = append(low, bits.Reverse8(c))
		}
		b = append(append(append(b, gap...), low...), gap...)
	}
	return b
}

const (
	symbolsMost   = 40 // distinct values that can be an alphabet
	symbolsFewest = 24 // values, below which a pattern of them says nothing
)

// asSymbols gives each distinct value of a small alphabet one letter, so that
// only the pattern counts; two values are bits and four are pairs of bits.
func asSymbols(vals [][]byte) []byte {
	if len(vals) < symbolsFewest {
		return nil
	}
	names := alphabet(vals)
	if len(names) < 2 {
		return nil
	}
	var b []byte
	one := make([]bool, 0, 2*len(vals))
	for _, v := range vals {
		k, _ := slices.BinarySearch(names, string(v))
		b = append(b, 'A'+byte(k))
		if len(names) > 2 {
			one = append(one, k&2 != 0)
		}
		one = append(one, k&1 != 0)
	}
	if len(names) <= 4 {
		b = append(append(b, gap...), bitStreams(one)...)
	}
	return b
}

// alphabet is the distinct values in order, or nil where they are too many.
func alphabet(vals [][]byte) []string {
	seen := map[string]bool{}
	for _, v := range vals {
		if !seen[string(v)] {
			if seen[string(v)] = true; len(seen) > symbolsMost {
				return nil
			}
		}
	}
	names := make([]string, 0, len(seen))
	for v := range seen {
		names = append(names, v)
	}
	slices.Sort(names)
	return names
}
