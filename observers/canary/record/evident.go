package record

const (
	chancy     = 512 // bytes of a piece in which short lengths lead to the end by chance
	sequential = 4   // records of which the lengths, or the tags, are a reason to believe
)

// evident reports whether records that lead to the end of b do so for more than
// chance: of a length of one byte every hundredth chain does. Their payloads are
// text and their lengths are none, or the lengths are all the same, or there are
// few tags, or these are numbers.
func (p prefix) evident(b []byte) bool {
	if len(b) <= chancy || p.kind != length8 && p.kind != lengthVar {
		return true
	}
	count, low, text, all := 0, 0, 0, 0
	uneven, unsteady := 0, 0 // of the records behind the first
	var length, step int
	var last byte
	var seen [256]bool
	tags := 0
	p.walk(b, func(tag byte, _ int, s []byte) bool {
		if count > 0 && len(s) != length {
			uneven++
		}
		if count > 1 && int(tag-last) != step {
			unsteady++
		}
		if count == 0 {
			length = len(s)
		}
		step, last = int(tag-last), tag
		if !seen[tag] {
			seen[tag] = true
			tags++
		}
		if len(s) < ' ' {
			low++
		}
		for _, c := range s {
			if c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' {
				text++
			}
		}
		all += len(s)
		count++
		return true
	})
	switch {
	case 16*text >= 15*all && 2*low >= count:
		return true
	case count < sequential:
		return false
	case uneven <= 1:
		return true
	}
	return p.tag > 0 && (tags <= 1+count/4 || unsteady == 0)
}
