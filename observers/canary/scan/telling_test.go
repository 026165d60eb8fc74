package scan

import "testing"

func TestTextOfOneByteAndOfTwoIsTelling(t *testing.T) {
	text := "powershell says [IO.Compression.GzipStream] and more"
	var low, high []byte
	for i := range len(text) {
		low, high = append(low, text[i], 0), append(high, 0, text[i])
	}
	for name, c := range map[string]struct {
		b    []byte
		want bool
	}{
		"text":              {[]byte(text), true},
		"UTF-16, low first": {low, true},
		"UTF-16":            {high, true},
		"zeros":             {make([]byte, 64), false},
		"numbers":           {append(low[:20:20], make([]byte, 40)...), false},
		"noise":             {[]byte("\x91\xdc\x12\xd5\xdbU\x9c\xd8\x91\x9a\x15U\xd1\xde\x1a\x15\x9a\xd9\x0c\x13\x91\x99\x16\x18\xd1\x99"), false},
	} {
		if got := telling(c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
