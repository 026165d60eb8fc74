package capture

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"postern/observers/canary/layer"
)

// planted is what the cases hide: its text, and the bytes that it spells.
type planted struct {
	text string
	raw  []byte
}

func plant(seed uint64) planted {
	r := rand.New(rand.NewPCG(seed, 5))
	raw := make([]byte, 16)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	return planted{hex.EncodeToString(raw), raw}
}

func (p planted) base32() string {
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(p.raw))
}

func (p planted) base64() string { return base64.StdEncoding.EncodeToString(p.raw) }

// bits are those of the raw bytes, the most significant first.
func (p planted) bits() []bool {
	var out []bool
	for _, c := range p.raw {
		for k := 7; k >= 0; k-- {
			out = append(out, c>>k&1 == 1)
		}
	}
	return out
}

// parts cuts a text into n parts of the same length but the last.
func parts(s string, n int) []string {
	size := (len(s) + n - 1) / n
	var out []string
	for len(s) > 0 {
		k := min(size, len(s))
		out = append(out, s[:k])
		s = s[k:]
	}
	return out
}

// shows says whether a view holds the text, the bytes, or a standard encoding
// of them that the other stages read.
func (p planted) shows(b []byte) bool {
	folded := bytes.ToLower(b)
	return bytes.Contains(folded, []byte(p.text)) || bytes.Contains(b, p.raw) ||
		bytes.Contains(folded, []byte(p.base32())) || bytes.Contains(b, []byte(p.base64()[:22])) ||
		bytes.Contains(b, []byte(base64.StdEncoding.EncodeToString([]byte(p.text))[:42]))
}

const testRoom = 64 << 20

// reveals opens the bytes and, to a small depth, what that yields.
func (p planted) reveals(b []byte, depth int) bool {
	if depth == 0 {
		return false
	}
	found := false
	for _, s := range Stages() {
		s.Open(b, layer.NewRoom(testRoom), func(v layer.View) bool {
			found = p.shows(v.Bytes) || depth > 1 && len(v.Bytes) < len(b) && p.reveals(v.Bytes, depth-1)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// hidden is one way to hide.
type hidden struct {
	name  string
	bytes []byte
	depth int // of views in views that it needs; one where nothing is said
}

func expectAll(t *testing.T, p planted, cases []hidden) {
	t.Helper()
	other := plant(99)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			depth := max(1, c.depth)
			if p.shows(c.bytes) {
				t.Fatal("the case hides nothing")
			}
			if !p.reveals(c.bytes, depth) {
				t.Error("not revealed")
			}
			if other.reveals(c.bytes, depth) {
				t.Error("reveals what is not there")
			}
		})
	}
}
