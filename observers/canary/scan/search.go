package scan

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"

	"postern/observers/canary/container"
	"postern/observers/canary/layer"
)

// search is the state of one search.
type search struct {
	*Scanner
	turns   turns
	seed    maphash.Seed
	seen    map[uint64]doubt        // contents of pieces, with the least doubt about each
	some    map[[proven]bool][]Part // of some kinds
	pieces  int
	regions int
	left    int // bytes that may still be searched
	doubted allowance
	held    int // bytes that wait
	total   int // bytes that were searched
	hungry  []*unit
	kept    int // bytes of hungry pieces
	hits    map[place]Hit
	reasons map[Reason]bool
}

// place is what is reported once.
type place struct {
	secret, region int
	technique      string
}

func newSearch(s *Scanner, b []byte) *search {
	q := &search{
		Scanner: s, seed: maphash.MakeSeed(), seen: map[uint64]doubt{}, some: map[[proven]bool][]Part{},
		left: s.o.Base + s.o.PerByte*len(b), doubted: s.o.allow(len(b)), hits: map[place]Hit{}, reasons: map[Reason]bool{},
	}
	q.seen[maphash.Bytes(q.seed, b)] = none
	q.turns.add(&piece{bytes: b, entropy: entropyOf(b), region: &region{}})
	return q
}

// run searches pieces with little room each, and then those that it was too
// little for with more, round after round. Each round leaves a part of the
// budget for the next: what it would be used up on may hide what a layer that
// was cut short still holds.
func (q *search) run(ctx context.Context) {
	q.drain(ctx, q.left/2)
	for round := 1; round <= rounds && len(q.hungry) > 0 && ctx.Err() == nil; round++ {
		again := q.hungry
		q.hungry, q.kept = nil, 0
		slices.SortStableFunc(again, func(a, b *unit) int { return len(a.piece.bytes) - len(b.piece.bytes) })
		for _, u := range again {
			u.room = min(u.room*widen, max(q.left, least))
			u.finders = nil
		}
		reserve := q.left / 2
		for group := range slices.Chunk(again, group) {
			q.do(ctx, group)
			q.drain(ctx, reserve)
		}
	}
	q.drain(ctx, 0)
}

// drain searches what waits, until no more of the budget is left than is to be
// kept.
func (q *search) drain(ctx context.Context, reserve int) {
	for q.turns.waiting > 0 && ctx.Err() == nil && q.left >= reserve {
		for batch := range slices.Chunk(q.batch(), group) {
			q.do(ctx, batch)
		}
	}
}

const (
	group = 16      // units at once: fixed, so that the result does not depend on the cores
	batch = 1 << 20 // bytes of the pieces of one batch
)

// batch takes the next few pieces, as units of work.
func (q *search) batch() []*unit {
	var units []*unit
	for size := 0; q.turns.waiting > 0 && len(units) < group && size < batch; {
		p := q.turns.next()
		size += len(p.bytes)
		q.held -= len(p.bytes)
		if q.charge(p) {
			units = append(units, q.units(p)...)
		}
	}
	return units
}

// charge takes a piece off what may be searched. The outermost bytes are free.
func (q *search) charge(p *piece) bool {
	q.total += len(p.bytes)
	if p.depth == 0 {
		return true
	}
	if !q.doubted.take(p) {
		return false // a bound of what the search is, as every selection has
	}
	if cost(p) > q.left {
		q.reasons[Budget] = true
		return false
	}
	q.left -= cost(p)
	return true
}

// take puts what a unit found in its place.
func (q *search) take(u *unit) {
	for _, h := range u.hits {
		q.hit(u.piece, h)
	}
	refused := false
	for _, v := range q.together(u.piece, u.views) {
		if v.kind == Selects && u.piece.depth > 0 {
			q.doubted.chosen -= len(v.Bytes)
		}
		refused = !q.enqueue(u.piece, v) || refused
	}
	if u.broke {
		q.reasons[Failed] = true
	}
	q.reasons[Cut] = q.reasons[Cut] || u.cut
	if refused || len(u.spent) > 0 {
		q.starve(u, refused)
	}
	u.views, u.hits = nil, nil
}

// starve remembers a unit that had too little room, if there is room for that.
func (q *search) starve(u *unit, refused bool) {
	if !refused {
		u.parts = u.spent // the others have said all that they had to say
	}
	u.spent, u.cut = nil, false
	if q.kept += len(u.piece.bytes); q.kept > q.o.Memory && u.piece.depth > 0 {
		q.reasons[Budget] = true
		return
	}
	q.hungry = append(q.hungry, u)
}

const tiny = 8 // bytes that may be a part of a secret worth telling

// enqueue says no where there is no room to wait.
func (q *search) enqueue(from *piece, v yielded) bool {
	doubt := from.after(v.kind, v.Bytes)
	if len(v.Bytes) < tiny || !container.Begins(v.Bytes) && q.doubted.over(doubt, len(v.Bytes)) {
		return true
	}
	if q.known(v.Bytes, doubt) {
		return true
	}
	if from.depth == q.o.Depth {
		q.reasons[Deep] = q.reasons[Deep] || v.kind == Opens && from.counts(v.kind) // what looks encoded may look so for ever
		return true
	}
	if q.held+len(v.Bytes) > q.o.Memory {
		return false
	}
	q.seen[maphash.Bytes(q.seed, v.Bytes)] = doubt
	q.held += len(v.Bytes)
	q.turns.add(q.below(from, v))
	return true
}

func (q *search) below(from *piece, v yielded) *piece {
	q.pieces++
	p := &piece{
		bytes: v.Bytes, trail: &trail{from.trail, v.Technique}, depth: from.depth + 1, doubt: from.after(v.kind, v.Bytes), main: 4*len(v.Bytes) >= len(from.bytes),
		offset: from.offset, region: from.region, entropy: entropyOf(v.Bytes), number: q.pieces,
	}
	p.marked = container.Begins(v.Bytes)
	p.believed = p.doubt == none && v.kind != Opens
	p.soon = p.doubt == selected && from.believed && !from.main
	p.drop = from.entropy - p.entropy
	if from.depth == 0 {
		q.regions++
		p.region = &region{number: q.regions}
		p.offset = int64(v.Offset)
	}
	p.weight = weigh(p)
	if v.sheaf {
		p.weight -= len(p.bytes) - len(p.bytes)/light
	}
	return p
}

const most = 1 << 14 // places that are remembered

// hit remembers the best of what was found by one technique in one region.
func (q *search) hit(p *piece, m layer.Match) {
	h := Hit{Secret: m.Secret, Technique: p.trail.join(m.Technique), Bits: m.Bits, Offset: p.offset, Class: classOf(m.Bits, q.bits[m.Secret]), doubt: p.doubt}
	at := place{secret: m.Secret, region: p.region.number, technique: h.Technique}
	if p.depth == 0 {
		h.Offset = int64(m.Offset)
	}
	old, known := q.hits[at]
	if known && inOrder(old, h) <= 0 || !known && len(q.hits) >= most && h.Class < Certain {
		return
	}
	q.hits[at] = h
}

// result sorts, and tells the real from the false.
func (q *search) result(ctx context.Context) Result {
	if ctx.Err() != nil {
		q.reasons[Time] = true
	}
	for _, u := range q.hungry {
		if why, told := u.why(q.left); told {
			q.reasons[why] = true
		}
	}
	var r Result
	floor := q.floor()
	var found []Hit
	for h := range maps.Values(q.hits) {
		if h.Class > Partial || h.Bits >= floor {
			found = append(found, h)
		}
	}
	for _, h := range tidy(found) {
		if h.Secret < q.real {
			r.Hits = append(r.Hits, h)
		} else {
			r.False++
		}
	}
	for reason, so := range q.reasons {
		if so {
			r.Unproven = append(r.Unproven, reason)
		}
	}
	slices.Sort(r.Unproven)
	return r
}
