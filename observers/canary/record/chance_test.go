package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/record"
)

// opened is what one stage makes of b.
func opened(t layer.Technique, b []byte) (views [][]byte) {
	for _, s := range record.Stages() {
		if s.Technique == t {
			s.Open(b, layer.NewRoom(1<<24), func(v layer.View) bool {
				views = append(views, v.Bytes)
				return true
			})
		}
	}
	return views
}

// recorded writes records with a tag each, if any, and a length of one byte.
func recorded(n int, tag func(i int) []byte, size func(i int) int, fill func(b []byte)) (b []byte) {
	for i := range n {
		payload := make([]byte, size(i))
		fill(payload)
		b = append(append(append(b, tag(i)...), byte(len(payload))), payload...)
	}
	return b
}

func TestShortRecordsAreOpenedForAReason(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	none := func(int) []byte { return nil }
	any := func(int) int { return 3 + r.IntN(28) }
	raw := func(b []byte) {
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	}
	text := func(b []byte) { copy(b, bytes.Repeat([]byte("some text, "), 9)) }
	for name, b := range map[string][]byte{
		"text":          recorded(60, none, any, text),
		"one length":    recorded(60, none, func(int) int { return 17 }, raw),
		"few tags":      recorded(60, func(i int) []byte { return []byte{byte(7 + i%3)} }, any, raw),
		"numbered":      recorded(60, func(i int) []byte { return []byte{byte(i)} }, any, raw),
		"short, no tag": recorded(20, none, any, raw),
	} {
		var whole []byte
		for i := 0; i < len(b); {
			if name == "few tags" || name == "numbered" {
				i++
			}
			n := int(b[i])
			whole = append(whole, b[i+1:i+1+n]...)
			i += 1 + n
		}
		if !slices.ContainsFunc(opened("length-prefixed", b), func(v []byte) bool { return bytes.Equal(v, whole) }) {
			t.Errorf("%s: not opened", name)
		}
	}
	made := 0
	for range 40 {
		b := make([]byte, 2000)
		raw(b)
		made += len(opened("length-prefixed", b))
	}
	if made > 120 { // without a reason 400
		t.Errorf("%d views of 40 times noise", made)
	}
}

func TestNoiseAmidTextIsNoScreen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	var b []byte
	for range 20 {
		b = append(b, prose(9000)...)
		for range 500 {
			b = append(b, byte(r.Uint32()))
		}
	}
	if n := len(opened("terminal-text", b)); n > 0 {
		t.Errorf("%d views of noise amid text", n)
	}
	coloured := fmt.Appendf(nil, "%s \x1b[31m%s\x1b[0m\n", b, "amid what is on a screen, and not at the end of anything at all")
	coloured = append(coloured, prose(100)...)
	if len(opened("terminal-text", coloured)) == 0 {
		t.Error("no view of colours in a long piece")
	}
}
