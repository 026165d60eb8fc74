package scan

import (
	"container/heap"
	"math"
	"strings"
	"sync"

	"postern/observers/canary/layer"
)

// piece is some bytes that wait to be searched.
type piece struct {
	bytes    []byte
	look     *layer.Look // at the bytes, from when it is searched
	trail    *trail
	depth    int
	doubt    doubt   // how much of the way here was guessed
	believed bool    // a decoder made it, and no format's marks, but there is no doubt
	marked   bool    // it begins with a format's marks
	hasty    bool    // it is one of too many that are believed
	main     bool    // it is a good part of what it was taken from
	soon     bool    // it was selected from the text that a decoder made of a small part
	offset   int64   // in the outermost bytes
	region   *region // of number 0 for the outermost bytes
	entropy  float64 // bits a byte, about
	drop     float64 // how much less that is than in what it was taken from
	weight   int     // the lighter come first
	number   int     // in the order of being found
	tagged   sync.Once
	bare     bool // it is a document without tags, as sparse tells
}

// region is a place of the outermost bytes that a stage took something from.
// Regions take turns by the bytes that were searched below each, so that what
// lies in one cannot use up what is left for the others.
type region struct {
	number   int
	searched int
	pieces   pieceHeap // that wait
	queued   bool
	place    int // among the regions
	due      int // what it will have had after its next piece
}

// trail is how a piece came to be. It does not hold the bytes above.
type trail struct {
	up        *trail
	technique layer.Technique
}

func (t *trail) join(last layer.Technique) string {
	words := []string{string(last)}
	for ; t != nil; t = t.up {
		words = append(words, string(t.technique))
	}
	for i, j := 0, len(words)-1; i < j; i, j = i+1, j-1 {
		words[i], words[j] = words[j], words[i]
	}
	return strings.Join(words, "/")
}

// turns are the pieces that wait, by region. The region whose next piece would
// leave it with the fewest bytes searched comes first; in it, the lightest.
type turns struct {
	regions regionHeap
	waiting int
}

func (t *turns) add(p *piece) {
	r := p.region
	heap.Push(&r.pieces, p)
	t.waiting++
	before := r.due
	r.due = r.searched + r.pieces[0].weight
	if r.queued {
		if r.due != before {
			heap.Fix(&t.regions, r.place)
		}
	} else {
		heap.Push(&t.regions, r)
	}
}

// next takes the piece whose turn it is, as if it were searched already.
func (t *turns) next() *piece {
	r := t.regions[0]
	p := heap.Pop(&r.pieces).(*piece)
	r.searched += cost(p)
	t.waiting--
	if len(r.pieces) > 0 {
		r.due = r.searched + r.pieces[0].weight
		heap.Fix(&t.regions, 0)
	} else {
		heap.Pop(&t.regions)
	}
	return p
}

type regionHeap []*region

func (h regionHeap) Len() int { return len(h) }
func (h regionHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	return a.due < b.due || a.due == b.due && a.number < b.number
}
func (h regionHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}
func (h *regionHeap) Push(r any) {
	one := r.(*region)
	one.queued, one.place = true, len(*h)
	*h = append(*h, one)
}
func (h *regionHeap) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	(*h)[last], *h = nil, (*h)[:last]
	r.queued = false
	return r
}

type pieceHeap []*piece

func (h pieceHeap) Len() int { return len(h) }
func (h pieceHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	return a.weight < b.weight || a.weight == b.weight && a.number < b.number
}
func (h pieceHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *pieceHeap) Push(p any)   { *h = append(*h, p.(*piece)) }
func (h *pieceHeap) Pop() any {
	last := len(*h) - 1
	p := (*h)[last]
	(*h)[last], *h = nil, (*h)[:last]
	return p
}

const overhead = 256 // what searching a piece costs besides its bytes, in bytes

func cost(p *piece) int { return len(p.bytes) + overhead }

// late is what a guess at something that was guessed weighs besides its bytes,
// and one at bytes too few for a whole secret of 128 bits: every first guess of
// usual length comes before. What is selected from decoded text is no such guess:
// a decoder that was wrong seldom yields text.
const (
	late     = 16 << 10
	whole128 = 16
)

// weigh is a piece's length, less where it is more orderly than what it was
// taken from.
func weigh(p *piece) int {
	w := int(float64(len(p.bytes)) * (1 - p.drop/16))
	if p.doubt >= selected && (p.depth > 1 && !p.soon && !p.marked || len(p.bytes) < whole128) {
		w += late
	}
	return w
}

const sampled = 4 << 10

// entropyOf estimates bits a byte from the chance that two bytes are alike, in
// the head and the tail.
func entropyOf(b []byte) float64 {
	var counts [256]uint32
	n, alike := 0, uint32(0) // the sum of the squares of the counts
	count := func(b []byte) {
		for _, c := range b {
			alike += 2*counts[c] + 1
			counts[c]++
		}
		n += len(b)
	}
	if len(b) <= 2*sampled {
		count(b)
	} else {
		count(b[:sampled])
		count(b[len(b)-sampled:])
	}
	return math.Log2(float64(n) * float64(n) / float64(alike))
}
