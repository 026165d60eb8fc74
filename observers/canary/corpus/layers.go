package corpus

import "strings"

// Layer is one encoder, from bytes to bytes.
type Layer struct {
	Name string
	Put  func([]byte) []byte
}

// Layers are encoders of every kind, for a test that puts each upon each: those
// of the composites, and some more.
func Layers() []Layer {
	var all []Layer
	for _, l := range layers() {
		all = append(all, Layer{l.name, l.f})
	}
	for _, l := range []struct {
		name   string
		format string
		sep    string
	}{
		{"octal", `\%03o`, ""}, {"unicode", `\u%04x`, ""}, {"entities", "&#%d;", ""}, {"quoted-printable", "=%02X", ""}, {"binary", "%08b", " "},
	} {
		dress := each(l.format, l.sep)
		all = append(all, Layer{l.name, func(b []byte) []byte { return []byte(dress(b)) }})
	}
	return append(all, Layer{"bzip2", bzip2}, Layer{"xz", xzed}, Layer{"lz4", lz4d})
}

// Pair is a canary under two layers, or under the same one twice.
type Pair struct {
	Name  string // "gzip-in-base64"
	Bytes []byte
}

// Pairs put every layer upon every layer.
func Pairs(canary string) []Pair {
	var all []Pair
	for _, inner := range Layers() {
		for _, outer := range Layers() {
			text := strings.Join([]string{"key", canary, "end"}, " ")
			all = append(all, Pair{inner.Name + "-in-" + outer.Name, outer.Put(inner.Put([]byte(text)))})
		}
	}
	return all
}
