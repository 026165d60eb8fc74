package capture

import (
	"postern/observers/canary/layer"
)

// symbols says whether a view has one byte for each digit of the text, a
// different one for a different digit: what the search by equality finds.
func symbols(p planted, b []byte) bool {
	found := false
	for _, s := range Stages() {
		s.Open(b, layer.NewRoom(testRoom), func(v layer.View) bool {
			for at := 0; at+len(p.text) <= len(v.Bytes) && !found; at++ {
				found = alike(p.text, v.Bytes[at:])
			}
			return !found
		})
	}
	return found
}

func alike(text string, b []byte) bool {
	to, from := map[byte]byte{}, map[byte]byte{}
	for i := range len(text) {
		c, old := to[text[i]]
		d, back := from[b[i]]
		if old && c != b[i] || back && d != text[i] {
			return false
		}
		to[text[i]], from[b[i]] = b[i], text[i]
	}
	return true
}
