package scan

import (
	"testing"

	"postern/observers/canary/container"
	"postern/observers/canary/layer"
)

func TestTextThatWasCompressedShowsThatTheGuessWasRight(t *testing.T) {
	const text = "before long take year to young other"
	for name, c := range map[string]struct {
		in, out   string
		technique layer.Technique
		want      Kind
	}{
		"brotli":            {"\x1b\x17\x04", text, container.Brotli, proven},
		"deflate":           {"\x1b\x17\x04", text, container.Deflate, proven},
		"a block of copies": {"\x1b\x17\x04", text, container.Lz4, Decodes},
		"noise":             {"\x1b\x17\x04", "\x91\xdc\x12\xd5\xdbU\x9c\xd8\x91\x9a\x15U\xd1\xde\x1a\x15\x9a\xd9\x0c\x13\x91\x99\x16\x18\xd1", container.Brotli, Decodes},
		"little":            {"\x1b\x17\x04", text[:wideText-1], container.Brotli, Decodes},
		"stood there":       {"0" + text, text, container.Brotli, Decodes},
	} {
		p := piece{bytes: []byte(c.in)}
		if got := p.proves(Decodes, layer.View{Technique: c.technique, Bytes: []byte(c.out)}); got != c.want {
			t.Errorf("%s: %d", name, got)
		}
	}
}
