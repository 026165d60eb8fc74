package record

import "strings"

func decimal(b []byte) (uint64, bool) {
	if len(b) > 1 && b[0] == '-' {
		n, ok := decimal(b[1:])
		return -n, ok
	}
	if len(b) == 0 || len(b) > 19 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, true
}

func hexadecimal(b []byte) (uint64, bool) {
	if len(b) > 2 && b[0] == '0' && b[1]|32 == 'x' {
		b = b[2:]
	}
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range b {
		d := nibble(c)
		if d < 0 {
			return 0, false
		}
		n = n<<4 | uint64(d)
	}
	return n, true
}

// nibble is the value of a hexadecimal digit, or -1.
func nibble(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|32 && c|32 <= 'f':
		return int(c|32-'a') + 10
	}
	return -1
}

// roman reads a Roman number below 4000.
func roman(b []byte) (uint64, bool) {
	if len(b) == 0 || len(b) > 15 {
		return 0, false
	}
	n, last := 0, 0
	for i := len(b) - 1; i >= 0; i-- {
		v := romanDigit(b[i])
		switch {
		case v == 0:
			return 0, false
		case v < last:
			n -= v
		default:
			n, last = n+v, v
		}
	}
	return uint64(max(n, 0)), n > 0
}

func romanDigit(c byte) int {
	switch c | 32 {
	case 'i':
		return 1
	case 'v':
		return 5
	case 'x':
		return 10
	case 'l':
		return 50
	case 'c':
		return 100
	case 'd':
		return 500
	case 'm':
		return 1000
	}
	return 0
}

// counted are words that stand for a place in an order, from one list each.
var counted = [...]string{
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
	"zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth",
	"alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu",
	"alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega",
	"jan feb mar apr may jun jul aug sep oct nov dec",
	"january february march april may june july august september october november december",
	"mon tue wed thu fri sat sun",
	"monday tuesday wednesday thursday friday saturday sunday",
}

// ordinal reads a number word, a name from an alphabet, or a number within
// letters, as part12 or 3rd.
func ordinal(b []byte) (uint64, bool) {
	if n, ok := embedded(b); ok {
		return n, true
	}
	if len(b) > 12 {
		return 0, false
	}
	word := strings.ToLower(string(b))
	for _, list := range counted {
		n := uint64(0)
		for w := range strings.SplitSeq(list, " ") {
			if w == word {
				return n, true
			}
			n++
		}
	}
	return 0, false
}

// embedded is the last decimal number in b, where b is not long.
func embedded(b []byte) (uint64, bool) {
	if len(b) > 64 {
		return 0, false
	}
	end := len(b)
	for end > 0 && (b[end-1] < '0' || b[end-1] > '9') {
		end--
	}
	start := end
	for start > 0 && b[start-1] >= '0' && b[start-1] <= '9' {
		start--
	}
	return decimal(b[start:end])
}
