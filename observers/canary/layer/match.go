package layer

import "postern/observers/canary/secret"

// Match is one place where a secret, or a part of it, was recognised: numbers,
// no bytes.
type Match struct {
	Secret    int // index of the secret
	Technique Technique
	Offset    int // in the bytes that were searched
	Bits      int // how many bits of the secret are there
}

// Finder recognises secrets in bytes without taking them apart. Find may be
// called by many goroutines at once.
type Finder struct {
	secret.Redacted
	find func(b []byte, yield func(Match) bool)
}

// NewFinder keeps the search in a func, because no printer looks inside one.
func NewFinder(find func(b []byte, yield func(Match) bool)) Finder { return Finder{find: find} }

// Find yields the places in b, in no particular order, until yield returns false.
func (f Finder) Find(b []byte, yield func(Match) bool) { f.find(b, yield) }
