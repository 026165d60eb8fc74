// Package fragment recognises parts of a secret: pieces of its bytes, of its
// digits in either case, of their base64 and base32, forwards and backwards,
// several of them in any order.
//
// A piece is reported by itself, whatever the size of the input, where it has
//
//	6 raw bytes                          48 bits
//	12 digits                            48
//	11 symbols of base64 of the bytes    66
//	16 symbols of base64 of the digits   48
//	14 symbols of base32 of the bytes    70
//	20 symbols of base32 of the digits   50
//
// Shorter pieces, from 6 digits or 4 raw bytes, count in inputs of up to
// sumInput bytes, by the score
//
//	sum of ( bits of the piece not yet covered - log2(positions x windows x forms) )
//	less lengthChoice for each piece after the first
//
// where positions are the places in the input that could be a piece of that
// length (places in runs of hexadecimal digits, or all bytes), windows those in
// the secret, and forms are two, forwards and backwards. Terms below zero are
// left out. A score of Threshold or more is reported as the bits covered.
// So eight digits are enough where the input has few other digits (10 places at
// the threshold of 22), and four pieces of eight among 100,000 places.
//
// Pieces of four digits or four raw bytes or more, in any order, that cover the
// whole secret within spread bytes are a complete find, in inputs of up to
// splitInput bytes; from six digits on, in those of up to sumInput.
//
// False positives. For any input and a random secret, a window of k symbols of
// b bits is at a given place with a probability of 2^-bk, so a scan has
// positions x windows x forms x 2^-bk false pieces on average. Of 64 MiB of
// digits and one secret: 12 digits 2^26 x 21 x 2 x 2^-48 = 2^-16.6; of random
// bytes, 6 raw bytes 2^26 x 11 x 2 x 2^-48 = 2^-17.5. The others are rarer. A
// score of T or more has a probability of at most 2^-T for one piece, by the
// same sum; with m pieces there are at most 2^m choices of those that count
// among the scanned. To cover 32 digits by chance within 1 KiB takes eight
// pieces, each there with 2^-6: 2^-48, times at most 2^15 ways to divide the
// secret. FalsePieces is the formula; the tests compare it with noise.
//
// A text that is not hexadecimal has pieces of 12 characters. Those of words
// are as common as the words, so a letter is worth two bits, any other character
// six, and 48 are needed. Secrets of fewer than six different symbols have no
// pieces. Symbols with others between are left to packages algebra and records.
package fragment

import (
	"math"

	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// The techniques.
const (
	Piece layer.Technique = "fragment"
	Sum   layer.Technique = "fragments" // that are enough together
	Split layer.Technique = "split"     // complete, in any order
)

// Threshold is -log2 of how often a scan may report pieces that are there by
// chance.
const Threshold = 22

// lengthChoice is log2 of the lengths that a further piece may have.
const lengthChoice = 5

// FalsePieces is how many pieces of k symbols with so many bits each a scan sees
// by chance on average, of one secret that has n symbols.
func FalsePieces(positions, n, k int, bits float64) float64 {
	return math.Exp2(cost(positions, n, k) - bits*float64(k))
}

// cost is log2(positions x windows x forms).
func cost(positions, n, k int) float64 {
	const forms = 2
	return math.Log2(float64(max(positions, 1)) * float64(n-k+1) * forms)
}

// New returns the finder for these secrets.
func New(secrets []secret.Secret) layer.Finder { return layer.NewFinder(build(secrets).find) }

func build(secrets []secret.Secret) *finder {
	f := newFinder()
	for i, s := range secrets {
		for _, st := range strands(i, s) {
			f.hold(st)
		}
	}
	f.freeze()
	return f
}
