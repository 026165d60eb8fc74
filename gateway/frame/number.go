package frame

import (
	"bytes"
	"strconv"
)

// maxInteger is the largest magnitude up to which float64 holds every integer.
const maxInteger = 1 << 53

// numberInRange reports whether readers with int64, float64 and decimal numbers
// agree about a JSON number: an integer within ±2^53, or a fraction or exponent
// form below 2^53 that is not rounded to zero. Negative zero in any spelling is
// refused: int64 drops its sign and float64 keeps it.
func numberInRange(raw []byte) bool {
	if bytes.IndexAny(raw, ".eE") < 0 {
		n, err := strconv.ParseInt(string(raw), 10, 64)
		return err == nil && -maxInteger <= n && n <= maxInteger && (n != 0 || raw[0] != '-')
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case err != nil || f >= maxInteger || f <= -maxInteger:
		return false
	case f == 0:
		mantissa, _, _ := bytes.Cut(bytes.ToLower(raw), []byte("e"))
		return raw[0] != '-' && bytes.IndexAny(mantissa, "123456789") < 0
	}
	return true
}
