package reports

import (
	"bytes"
	"math"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// Shapes finds, without any key, what looks like a canary in a file of a
// bundle: 32 hexadecimal digits, with or without separators, or 22 characters
// that look like base64 or base32 of 16 random bytes. Where the schema has a
// digest, and in SHA256SUMS, what reads as that digest is left out.
//
// It is the second line behind the schema. It finds neither words that spell a
// canary nor numbers that add up to one: the first are for the registries, the
// second for judging the bundle again.
func Shapes(file string, data []byte) []Problem {
	switch file {
	case evidenceFile, manifestFile:
		return jsonShapes(file, data)
	case sumsFile:
		data = lineDigest.ReplaceAll(data, nil)
	}
	if Shaped(data) {
		return []Problem{{Code: CanaryShape, File: file}}
	}
	return nil
}

// jsonShapes looks at names and values one by one. What it finds is told by its
// offset: a pointer would quote the names.
func jsonShapes(file string, data []byte) []Problem {
	var problems []Problem
	places := digestsOf(file)
	d := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return capped(problems) // the end, or what decode refuses anyway
		}
		if kind := token.Kind(); kind != '"' && kind != '0' {
			continue
		}
		if text := token.String(); Shaped([]byte(text)) && !places.allow(d, text) {
			problems = append(problems, Problem{Code: CanaryShape, File: file, At: atByte(d.InputOffset())})
		}
	}
}

var (
	hexRun   = regexp.MustCompile(`(?:[0-9a-fA-F][-:._/ ]?){32}`)
	denseRun = regexp.MustCompile(`[0-9A-Za-z+/_-]{22,}`)
)

// Shaped reports whether text holds something of a canary's shape.
func Shaped(text []byte) bool {
	if hexRun.Match(text) {
		return true
	}
	for _, run := range denseRun.FindAll(text, -1) {
		if looksRandom(run) {
			return true
		}
	}
	return false
}

// looksRandom tells random base64 or base32 from words joined by '-' or '/':
// words of ours have no capitals and no piece of 22 characters.
func looksRandom(run []byte) bool {
	var upper, lower, piece, longest int
	var counts [256]int
	for _, c := range run {
		counts[c]++
		piece++
		switch {
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c && c <= 'z':
			lower++
		case c < '0' || c > '9':
			piece = 0
		}
		longest = max(longest, piece)
	}
	entropy := 0.0
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / float64(len(run))
			entropy -= share * math.Log2(share)
		}
	}
	// 22 random base64 characters have about 4.3 bits a character this way, 26 of
	// base32 about 4.0; below 3 there are too few different ones to be random.
	return entropy > 3 && (upper > 1 && lower > 1 || longest >= 22)
}
