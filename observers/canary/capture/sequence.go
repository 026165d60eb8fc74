package capture

import (
	"bytes"
	"slices"
	"strconv"
)

// sequence reads a column as numbers of the rows, and says in which order the
// rows are to be taken. Close asks that no number is missing.
func sequence(c [][]byte, close bool) ([]int, bool) {
	if len(c) < 2 {
		return nil, false
	}
	before := prefixOf(c)
	after := suffixOf(c, before)
	for _, read := range numerals() {
		for _, trim := range [][2]int{{0, 0}, {letters(c[0][:before]), after}, {before, after}} {
			if index, ok := numbered(c, trim, read, close); ok {
				return index, true
			}
		}
	}
	return nil, false
}

// letters is how much of a common start is not part of a number.
func letters(s []byte) int {
	for len(s) > 0 && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' {
		s = s[:len(s)-1]
	}
	return len(s)
}

func suffixOf(c [][]byte, before int) int {
	n := len(c[0]) - before
	for _, s := range c[1:] {
		n = min(n, len(s)-before)
		for i := range n {
			if s[len(s)-1-i] != c[0][len(c[0])-1-i] {
				n = i
				break
			}
		}
	}
	for n > 0 && c[0][len(c[0])-n] >= '0' && c[0][len(c[0])-n] <= '9' {
		n--
	}
	return max(n, 0)
}

// numerals are the ways to read a number, the most usual first.
func numerals() []func([]byte) (uint64, bool) {
	return []func([]byte) (uint64, bool){
		func(s []byte) (uint64, bool) { return based(s, 10) },
		func(s []byte) (uint64, bool) { return based(s, 16) },
		func(s []byte) (uint64, bool) { return based(s, 36) },
		lettered,
	}
}

func based(s []byte, base int) (uint64, bool) {
	if len(s) == 0 || len(s) > 9 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s), base, 40)
	return n, err == nil
}

// lettered reads a, b ... z, aa, ab.
func lettered(s []byte) (uint64, bool) {
	if len(s) == 0 || len(s) > 3 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range bytes.ToLower(s) {
		if c < 'a' || c > 'z' {
			return 0, false
		}
		n = 26*n + uint64(c-'a') + 1
	}
	return n, true
}

func numbered(c [][]byte, trim [2]int, read func([]byte) (uint64, bool), close bool) ([]int, bool) {
	numbers := make([]uint64, len(c))
	index := make([]int, len(c))
	for i, s := range c {
		n, ok := uint64(0), trim[0]+trim[1] < len(s)
		if ok {
			n, ok = read(s[trim[0] : len(s)-trim[1]])
		}
		if !ok {
			return nil, false
		}
		numbers[i], index[i] = n, i
	}
	span := slices.Max(numbers) - slices.Min(numbers)
	if close && span >= uint64(len(c)) || span > uint64(16*len(c)+16) {
		return nil, false
	}
	slices.SortStableFunc(index, func(a, b int) int { return compare(numbers[a], numbers[b]) })
	for i := 1; i < len(index); i++ {
		if numbers[index[i]] == numbers[index[i-1]] {
			return nil, false
		}
	}
	return index, true
}
