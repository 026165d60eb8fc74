package scan

import (
	"cmp"
	"slices"
	"strings"

	"postern/observers/canary/algebra"
	"postern/observers/canary/fragment"
	"postern/observers/canary/layer"
)

// Result is what a search came to. It is proven clean only where both lists are
// empty.
type Result struct {
	Hits     []Hit           // sorted: by secret, best class first; one a place of the input
	Unproven []Reason        // sorted; why finding nothing would prove nothing
	False    int             // hits of decoys
	Torn     layer.Technique // the compression or archive that the input is, where its end is missing or a checksum wrong; Read alone tells it
}

// Hit is one place where a secret, or a part of it, was found.
type Hit struct {
	Secret    int    // index of the secret
	Technique string // closed words joined by "/", from the outermost layer to the form itself
	Bits      int    // how many bits of the secret are there
	Offset    int64  // in the outermost bytes, of what the secret was found in
	Class     Class

	doubt doubt
}

// Class says how much of a secret was found. The zero Class is the weakest.
type Class int

// The classes.
const (
	Partial Class = iota // less than 64 bits
	Strong               // 64 bits or more, but not all
	Certain              // all bits, but for those that an encoding shares with what stands beside
)

// String is the closed word.
func (c Class) String() string { return [...]string{"partial", "strong", "certain"}[c] }

const (
	sharedBits = 8  // what an encoding may leave out at the two ends
	strongBits = 64 // by chance once in 2^64 places
)

func classOf(found, all int) Class {
	switch {
	case found >= all-sharedBits && found >= all*7/8:
		return Certain
	case found >= strongBits:
		return Strong
	default:
		return Partial
	}
}

// Reason is a closed word for why something was left unread.
type Reason string

// The reasons.
const (
	Budget Reason = "budget" // too many bytes lay below
	Deep   Reason = "depth"  // there were more layers than are searched
	Time   Reason = "time"   // the time was over
	Cut    Reason = "cut"    // a layer is cut off, or has more parts than its stage reads
	Failed Reason = "failed" // a stage broke: a mistake of ours
	Torn   Reason = "torn"   // the input itself is what Result.Torn says, cut off or damaged
)

const perSecret = 16 // hits of one secret in one result

// tidy sorts, and keeps the first few of each secret. It leaves out what is no
// more than an echo of a better one: another reading of the same place, one
// that was guessed where there is one that was not, a part where there is more.
func tidy(hits []Hit) []Hit {
	slices.SortFunc(hits, inOrder)
	kept := hits[:0]
	for _, h := range hits {
		first, n := len(kept), 0
		for first > 0 && kept[first-1].Secret == h.Secret {
			first, n = first-1, n+1
		}
		if n < perSecret && !echoes(h, kept[first:]) {
			kept = append(kept, h)
		}
	}
	return kept
}

func echoes(h Hit, better []Hit) bool {
	return len(better) > 0 && (h.doubt > better[0].doubt || h.Class == Partial && better[0].Class > Partial ||
		slices.ContainsFunc(better, func(b Hit) bool { return b.Offset == h.Offset || h.roundabout() > b.roundabout() && near(b, h) }))
}

// near reports whether two hits may be of one place: a stage says where what it
// took apart begins, and what stands before is not all of the secret.
func near(a, b Hit) bool { return max(a.Offset, b.Offset)-min(a.Offset, b.Offset) <= beside }

const beside = 256 // bytes

func inOrder(a, b Hit) int {
	return cmp.Or(
		cmp.Compare(a.Secret, b.Secret),
		cmp.Compare(b.Class, a.Class),
		cmp.Compare(a.roundabout(), b.roundabout()),
		cmp.Compare(a.doubt, b.doubt),
		cmp.Compare(strings.Count(a.Technique, "/"), strings.Count(b.Technique, "/")),
		cmp.Compare(a.Offset, b.Offset),
		cmp.Compare(a.Technique, b.Technique),
		cmp.Compare(b.Bits, a.Bits),
	)
}

// roundabout is 1 for what the finders by algebra and of fragments say. Of plain
// text it is true as well, as an addition of nothing, and no help.
func (h Hit) roundabout() int {
	switch layer.Technique(h.Technique[strings.LastIndex(h.Technique, "/")+1:]) {
	case algebra.Xor, algebra.Add, algebra.Affine, algebra.Counter, algebra.Delta, algebra.Running, algebra.BitMap,
		algebra.BitShift, algebra.Packed, algebra.Stride, algebra.Vigenere, algebra.Unknown, algebra.Grouped, algebra.Sampled,
		fragment.Piece, fragment.Sum, fragment.Split:
		return 1
	}
	return 0
}
