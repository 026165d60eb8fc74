package record

import (
	"cmp"
	"slices"
)

const (
	gridMost  = 6   // columns of numbers that are read together
	gridCells = 512 // and how many numbers those are
)

// grid reads neighbouring columns of numbers row by row, all of them and fewer,
// as rgb(1,2,3) on each line has them. What only counts the rows is left out.
func grid(t *table) []byte {
	var cols []column
	var nums [][]uint64
	for _, c := range t.cols {
		if len(c) > gridCells {
			continue
		}
		read := readAll(c.values(), marked)
		if read == nil || counts(read) || len(cols) > 0 && len(c) != len(cols[0]) {
			continue
		}
		cols, nums = append(cols, c), append(nums, read)
	}
	if len(cols) < 2 || len(cols) > gridMost || len(cols)*len(cols[0]) > gridCells {
		return nil
	}
	order := make([]int, len(cols))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cols[a][0].off, cols[b][0].off) })
	var b []byte
	for from := range order {
		for to := from + 2; to <= len(order); to++ {
			if (to-from)*len(cols[0]) < shortest || to-from > 3 && to-from < len(order) {
				continue
			}
			b = append(append(b, quantities(rowwise(nums, order[from:to]))...), gap...)
		}
	}
	return b
}

func rowwise(nums [][]uint64, order []int) []uint64 {
	var all []uint64
	for row := range nums[order[0]] {
		for _, c := range order {
			all = append(all, nums[c][row])
		}
	}
	return all
}

// counts reports whether each number is as much more than the one before.
func counts(nums []uint64) bool {
	if len(nums) < 3 {
		return false
	}
	for i := 2; i < len(nums); i++ {
		if nums[i]-nums[i-1] != nums[1]-nums[0] {
			return false
		}
	}
	return true
}
