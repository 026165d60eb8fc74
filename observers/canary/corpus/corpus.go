// Package corpus hides a canary in as many ways as an adversary would, for the
// tests and benchmarks of whatever looks for it. Only they import it.
//
// It promises that the same seed and canary give the same bytes, and that each
// sample says what is left of the canary in it. It shares no code with the
// engine that it tests, and it does not claim to be complete: what is missing
// here is not thereby found.
package corpus

import (
	"bytes"
	"encoding/hex"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// The labels of a sample: what somebody who knows the technique gets back.
const (
	Recoverable = "recoverable" // every bit
	Partial     = "partial"     // some bits of it, in one piece
	Keyed       = "keyed"       // every bit, with a key that is not in the sample
	Destroyed   = "destroyed"   // nothing, or too little to tell from chance
)

// Sample is a file that an agent might leave, with one canary hidden in it.
type Sample struct {
	Technique string // unique among the samples of a call
	Group     string // one of Groups
	Tier      int    // 1 one standard encoding, 2 composition or container, 3 split over units, 4 covert; 0 benign
	Label     string // empty where the sample is benign
	Name      string // of the file
	Bytes     []byte
}

// Groups are the kinds of technique, in the order of All.
func Groups() []string {
	var names []string
	for _, g := range groups() {
		names = append(names, g.name)
	}
	return names
}

type group struct {
	name   string
	tricks []trick
}

func groups() []group {
	all := []group{
		{"plain", plain()},
		{"charset", charset()},
		{"base64", base64s()},
		{"base32", base32s()},
		{"base-other", otherBases()},
		{"hex", hexes()},
		{"escape", escapes()},
		{"numeric", numerics()},
		{"text-code", textCodes()},
		{"bit-operations", bitOperations()},
		{"compression", compressions()},
		{"archive", archives()},
		{"composite", composites()},
		{"file-format", fileFormats()},
		{"protocol", protocols()},
		{"split", splits()},
		{"dns", domainNames()},
		{"steganography", steganography()},
	}
	more := blind()
	for i, g := range all {
		all[i].tricks = append(g.tricks, more[g.name]...)
	}
	return all
}

// All hides the canary, 32 hexadecimal digits, in every way that is known here.
func All(seed uint64, canary string) []Sample {
	raw, err := hex.DecodeString(canary)
	if err != nil || len(raw) != 16 {
		panic("corpus: a canary is 32 hexadecimal digits")
	}
	var all []Sample
	vocabulary := strings.Fields(words)
	for _, g := range groups() {
		for _, t := range g.tricks {
			name := g.name + "/" + t.name
			s := &scene{Rand: source(seed, name), hex: canary, raw: bytes.Clone(raw), words: vocabulary}
			all = append(all, Sample{name, g.name, t.tier, t.label, t.name + "." + t.ext, t.hide(s)})
		}
	}
	return all
}

// source makes each technique independent of the ones before it.
func source(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// scene is what a technique may use: the canary in both spellings, and chance.
type scene struct {
	*rand.Rand
	hex   string
	raw   []byte
	words []string // of the prose
}

// trick is one technique.
type trick struct {
	name  string
	tier  int
	label string
	ext   string
	hide  func(*scene) []byte
}

func (t trick) as(label string) trick {
	t.label = label
	return t
}

// file is a technique that makes a whole file.
func file(name string, tier int, ext string, hide func(*scene) []byte) trick {
	return trick{name, tier, Recoverable, ext, hide}
}

// text puts what a technique makes into prose, a log, source code or a binary.
func text(name string, tier int, hide func(*scene) string) trick {
	return file(name, tier, "txt", func(s *scene) []byte { return s.amidText(hide(s)) })
}

// digits is a text made of the canary's 32 digits.
func digits(name string, tier int, dress func([]byte) string) trick {
	return text(name, tier, func(s *scene) string { return dress([]byte(s.hex)) })
}

// bytes16 is a text made of the 16 bytes that the canary spells.
func bytes16(name string, tier int, dress func([]byte) string) trick {
	return text(name, tier, func(s *scene) string { return dress(s.raw) })
}

// blob puts what a technique makes into a binary.
func blob(name string, tier int, hide func(*scene) []byte) trick {
	return file(name, tier, "bin", func(s *scene) []byte { return s.amidBinary(hide(s)) })
}

// must is for errors that only a mistake in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func must1[T any](v T, err error) T {
	must(err)
	return v
}
