// Package scan looks for secrets in bytes of any kind, and in whatever lies
// below them: each piece is searched, taken apart by every stage, and what the
// stages yield is searched in turn.
//
// It promises a bound on depth, bytes, memory and time; that a search which
// left something unread says so, so that finding nothing is then unproven, not
// clean; that no number of decoys keeps a small piece from being read before
// large ones; and the same result on any number of cores. A result holds
// closed words and numbers, none of the bytes. It does not find what was
// encrypted with a key that is not in the bytes, nor what is spread over more
// than one input, or over more than a window of a very large one. Of guesses
// upon guesses it follows a bounded number, and does not tell of the rest.
package scan

import (
	"context"
	"errors"
	"runtime"

	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// Options bound a search. Their zero values are the defaults.
type Options struct {
	Depth   int // layers below the input that are searched; 0 is 8
	Base    int // bytes that may be searched below any input, however small; 0 is 64 MiB
	PerByte int // and as many more for each of its bytes; 0 is 16
	Guesses int // bytes of selections from a small input, and of what was guessed at those, and fewer from a large one; a part of it, of what one decoder made; 0 is 1.5 MiB
	Memory  int // bytes that may wait to be searched; 0 is 256 MiB
	Workers int // pieces at once; 0 is GOMAXPROCS
	Whole   int // bytes of a reader that are one input; what is longer is read in windows; 0 is 256 MiB
	Window  int // bytes of each window after the first; 0 is 32 MiB
	Decoys  int // secrets that are nowhere, looked for as well: what is found of them is false

	// Finders and Parts replace those of this package, for tests.
	Finders func([]secret.Secret) ([]layer.Finder, error)
	Parts   []Part
}

const (
	depth   = 8
	base    = 64 << 20
	perByte = 16
	guesses = 3 << 19
	memory  = 256 << 20
	whole   = 256 << 20
	window  = 32 << 20
	overlap = 1 << 20 // of two windows; a quarter of a window where that is less
)

// Scanner is a search that is ready to begin. It may be used by many goroutines
// at once.
type Scanner struct {
	secret.Redacted
	o       Options
	finders kit
	bits    []int // of each secret
	real    int   // how many secrets are no decoys
}

var errNone = errors.New("preparing the scan: there is no secret to look for")

// New prepares a search for some secrets. An empty set is an error: it would
// look like a search that found nothing.
func New(secrets []secret.Secret, o Options) (*Scanner, error) {
	if len(secrets) == 0 {
		return nil, errNone
	}
	o = o.complete()
	all := append(append([]secret.Secret{}, secrets...), decoys(secrets, o.Decoys)...)
	s := &Scanner{o: o, real: len(secrets)}
	for _, one := range all {
		s.bits = append(s.bits, one.Bits())
	}
	var err error
	if o.Finders == nil {
		s.finders, err = finders(all)
		return s, err
	}
	same, err := o.Finders(all)
	for d := range s.finders {
		s.finders[d] = same
	}
	return s, err
}

func (o Options) complete() Options {
	o.Depth = either(o.Depth, depth)
	o.Base = either(o.Base, base)
	o.PerByte = either(o.PerByte, perByte)
	o.Guesses = either(o.Guesses, guesses)
	o.Memory = either(o.Memory, memory)
	o.Workers = either(o.Workers, runtime.GOMAXPROCS(0))
	o.Whole = either(o.Whole, whole)
	o.Window = either(o.Window, window)
	if o.Parts == nil {
		o.Parts = parts()
	}
	return o
}

func either(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// Bytes searches one input. It does not change b, and keeps nothing of it.
func (s *Scanner) Bytes(ctx context.Context, b []byte) Result {
	q := newSearch(s, b)
	q.run(ctx)
	return q.result(ctx)
}
