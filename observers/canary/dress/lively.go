package dress

const stretch = 128 // symbols that are judged together

// lively reports whether some stretch of bits is mixed enough to spell anything:
// a choice that a text makes for its own reasons is mostly one way.
func lively(bits []byte) bool {
	for from := 0; ; from += stretch / 2 {
		part := bits[from:min(from+stretch, len(bits))]
		ones, turns := 0, 0
		for i, v := range part {
			ones += int(v)
			if i > 0 && v != part[i-1] {
				turns++
			}
		}
		if n := len(part); 5*ones >= n && 5*ones <= 4*n && 7*turns >= n && 10*turns <= 9*n {
			return true
		}
		if from+stretch >= len(bits) {
			return false
		}
	}
}

// varied reports whether in some stretch no symbol is most of it.
func varied(ranks []byte) bool {
	for from := 0; ; from += stretch / 2 {
		part := ranks[from:min(from+stretch, len(ranks))]
		var count [256]int
		most := 0
		for _, v := range part {
			count[v]++
			most = max(most, count[v])
		}
		if 5*most <= 4*len(part) {
			return true
		}
		if from+stretch >= len(ranks) {
			return false
		}
	}
}
