package residual

import (
	"encoding/hex"
	"regexp"
	"strings"
)

// A canary is 32 hexadecimal digits; nothing else about it is known.
var digits = regexp.MustCompile(`\b[0-9a-f]{32}\b`)

// inText finds the first that could be one.
func inText(s string) Bits {
	b, err := hex.DecodeString(digits.FindString(s))
	if err != nil {
		return nil
	}
	return bytesToBits(b)
}

// The parts of a canary in names that are too short for it: a number, a colon,
// and digits.
var numbered = regexp.MustCompile(`\b([0-2]):([0-9a-f]{1,13})\b`)

// inNames puts the parts together that stand in a list of names, where all
// are there.
func inNames(names string) Bits {
	var parts [3]string
	for _, m := range numbered.FindAllStringSubmatch(names, -1) {
		parts[m[1][0]-'0'] = m[2]
	}
	return inText(strings.Join(parts[:], ""))
}
