package forms

// Case is that of ASCII letters alone: a secret need not be valid UTF-8, and
// no byte may change its length.

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= ' '
	}
	return c
}

func upperByte(c byte) byte {
	if c >= 'a' && c <= 'z' {
		c &^= ' '
	}
	return c
}

func lower(b []byte) {
	for i, c := range b {
		b[i] = lowerByte(c)
	}
}

// folds is whether b is the text, which is in lower case, in any case.
func folds(text, b []byte) bool {
	for i, c := range b {
		if lowerByte(c) != text[i] {
			return false
		}
	}
	return len(b) == len(text)
}
