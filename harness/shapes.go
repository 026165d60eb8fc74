package harness

import (
	"bytes"

	"postern/observers/canary"
	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
	"postern/reports"
)

// anySecret is as long as what is looked for.
func anySecret() secret.Secret {
	return secret.New(bytes.Repeat([]byte("0"), 2*canary.Size), make([]byte, canary.Size))
}

const (
	shapeDigits  layer.Technique = "hex-shape"
	shapeBase64  layer.Technique = "base64-shape"
	leastDigits                  = 2 * canary.Size
	leastSymbols                 = 22 // of base64, for as many bytes
	mostRuns                     = 16 // that are told of a file
)

// plainShapes is where a file has runs of symbols that look random as they are.
func plainShapes(b []byte) (places []int) {
	eachRun(b, func(at int, run []byte) bool {
		if reports.Shaped(run) {
			places = append(places, at)
		}
		return len(places) < mostRuns
	})
	return places
}

// shapes finds what is surely no word in what was decoded: there words of ours
// are joined, and what was no code was decoded. So base32 is not looked for.
func shapes() layer.Finder {
	return layer.NewFinder(func(b []byte, yield func(layer.Match) bool) {
		eachRun(b, func(at int, run []byte) bool {
			if t := shapeOf(run); t != "" {
				return yield(layer.Match{Technique: t, Offset: at, Bits: 8 * canary.Size})
			}
			return true
		})
	})
}

// eachRun gives every run of symbols that is long enough.
func eachRun(b []byte, tell func(at int, run []byte) bool) {
	for at := 0; at < len(b); at++ {
		begin := at
		for at < len(b) && symbolic(b[at]) {
			at++
		}
		if at-begin >= leastSymbols && !tell(begin, b[begin:at]) {
			return
		}
	}
}

func symbolic(c byte) bool { return alphanumeric(c) || c == '+' || c == '/' || c == '_' || c == '-' }

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// shapeOf wants of hexadecimal digits that they are of one case and of many
// kinds, and of base64 a few of every kind: of random ones fewer than one in a
// thousand is missed, and of what is no canary's hardly any is taken for one.
func shapeOf(run []byte) layer.Technique {
	var kinds [3]int
	for _, c := range run {
		switch {
		case '0' <= c && c <= '9':
			kinds[0]++
		case 'a' <= c && c <= 'z':
			kinds[1]++
		case 'A' <= c && c <= 'Z':
			kinds[2]++
		}
	}
	switch {
	case hexadecimal(run):
		return shapeDigits
	case min(kinds[1], kinds[2]) >= 3 && kinds[0] >= 1 && reports.Shaped(run):
		return shapeBase64
	}
	return ""
}

// hexadecimal looks at the first digits of each run of them.
func hexadecimal(b []byte) bool {
	for at := 0; at+leastDigits <= len(b); {
		seen, n, letters := [256]bool{}, 0, 0
		for n < leastDigits && (isDigit(b[at+n]) || 'a' <= b[at+n] && b[at+n] <= 'f' || 'A' <= b[at+n] && b[at+n] <= 'F') {
			seen[b[at+n]] = true
			n++
		}
		kinds, small, large := 0, false, false
		for c, is := range seen {
			if !is {
				continue
			}
			kinds++
			small, large = small || c >= 'a', large || 'A' <= c && c <= 'F'
			if c >= 'A' {
				letters++
			}
		}
		if n == leastDigits && kinds >= 10 && letters >= 2 && letters < kinds-2 && !(small && large) {
			return true
		}
		at += n + 1
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
