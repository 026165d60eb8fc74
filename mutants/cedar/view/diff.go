package view

import "strings"

// Diff is two texts line by line: "-" before what is gone, "+" before what is
// new, a blank before what stays.
func Diff(before, after string) []string {
	a, b := lines(before), lines(after)
	// length[i][j] is how many lines a[i:] and b[j:] have in common, in order.
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "  "+a[i])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || length[i+1][j] >= length[i][j+1]):
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// Changed is a Diff without what stays. Where only white space would be left,
// as for a policy that is gone, it is whole.
func Changed(before, after string) []string {
	var out []string
	for _, line := range Diff(before, after) {
		if !strings.HasPrefix(line, "  ") {
			out = append(out, line)
		}
	}
	return out
}
