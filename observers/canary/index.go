package canary

import (
	"encoding/binary"
	"errors"
	"fmt"

	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// Index finds canaries of a run that minted tens of thousands: its work does
// not grow with their number, and its memory by about 200 bytes for each. In
// place of preparing every form of each canary, it undoes the forms where they
// could stand.
//
// It finds text in either case, bytes, base64, base32, hexadecimal and UTF-16,
// and also a half: eight bytes of a canary in a row. Of anything below, a search
// with decoders shows it the bytes. It never
// changes and may be shared between goroutines.
type Index struct {
	secret.Redacted
	find    func(b []byte, yield func(layer.Match) bool)
	secrets func() []secret.Secret
}

// NewIndex prepares the search. An empty set or a zero canary is an error: it
// would look like a search that found nothing.
func NewIndex(entries []Entry) (*Index, error) {
	if len(entries) == 0 {
		return nil, errors.New("indexing canaries: the set is empty")
	}
	w := newWords(len(entries))
	secrets := make([]secret.Secret, len(entries))
	for i, e := range entries {
		if e.Canary.raw == nil {
			return nil, fmt.Errorf("indexing canaries: channel %s has none", e.ID)
		}
		secrets[i] = e.Canary.secret()
		w.add(e.Canary.raw())
	}
	return &Index{find: w.find, secrets: func() []secret.Secret { return secrets }}, nil
}

// Finder is the search. Of a match, Secret is the place of the entry.
func (x *Index) Finder() layer.Finder { return layer.NewFinder(x.find) }

// Secrets are the canaries in the order of the entries.
func (x *Index) Secrets() []secret.Secret { return x.secrets() }

const (
	word   = 8                  // bytes that are looked up at once
	spread = 0x9e3779b97f4a7c15 // 2^64 / golden ratio: Fibonacci hashing
)

const perCanary = Size - word + 1 // words of eight bytes that a canary holds

// words knows every eight bytes in a row of every canary.
type words struct {
	raws  [][Size]byte
	maybe []uint64 // a bit for each hash: most words of a text are in none
	slots []uint32 // open addressing; number of the word + 1, 0 is an empty slot
	shift int      // of a hash, to its bit in maybe
}

func newWords(canaries int) *words {
	bits := 10
	for 1<<bits < 2*perCanary*canaries {
		bits++
	}
	const spare = 4 // the bits are sixteen times the slots: less than one in thirty-two is set
	return &words{maybe: make([]uint64, 1<<(bits+spare-6)), slots: make([]uint32, 1<<bits), shift: 64 - bits - spare}
}

func (w *words) add(raw [Size]byte) {
	for off := range perCanary {
		h := binary.LittleEndian.Uint64(raw[off:]) * spread
		w.maybe[h>>w.shift>>6] |= 1 << (h >> w.shift & 63)
		i := w.home(h)
		for w.slots[i] != 0 {
			i = (i + 1) & (len(w.slots) - 1)
		}
		w.slots[i] = uint32(len(w.raws)*perCanary + off + 1)
	}
	w.raws = append(w.raws, raw)
}

// home uses other bits of the hash than maybe does.
func (w *words) home(h uint64) int { return int(h>>8) & (len(w.slots) - 1) }

// each tells of every eight bytes of b that a canary holds, until told to stop.
func (w *words) each(b []byte, tell func(canary, at, bits int) bool) bool {
	for i := 0; i+word <= len(b); i++ {
		v := binary.LittleEndian.Uint64(b[i:])
		h := v * spread
		if w.maybe[h>>w.shift>>6]>>(h>>w.shift&63)&1 == 0 {
			continue
		}
		for s := w.home(h); w.slots[s] != 0; s = (s + 1) & (len(w.slots) - 1) {
			n := int(w.slots[s] - 1)
			raw, off := &w.raws[n/perCanary], n%perCanary
			if binary.LittleEndian.Uint64(raw[off:]) != v {
				continue
			}
			if off > 0 && i > 0 && b[i-1] == raw[off-1] {
				continue // told already
			}
			same := word
			for off+same < Size && i+same < len(b) && b[i+same] == raw[off+same] {
				same++
			}
			if !tell(n/perCanary, i, 8*same) {
				return false
			}
		}
	}
	return true
}
