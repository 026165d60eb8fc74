package scan

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"postern/observers/canary/layer"
)

// unit is a piece, and what is to be done with it at one go.
type unit struct {
	piece   *piece
	finders []layer.Finder
	parts   []Part
	room    int // for what each part yields

	hits  []layer.Match
	views []yielded
	spent []Part // those that left something which is told, and may say more in more room
	used  int    // the most that one of them yielded
	cut   bool   // a format is cut off: more room would show nothing more
	broke bool
}

type yielded struct {
	layer.View
	kind  Kind
	sheaf bool // many small views
}

const (
	least  = 64 << 10  // the room of a part in the first round, beside twice the piece
	widen  = 16        // and how many times more in each round that follows
	rounds = 3         // after the first
	large  = 256 << 10 // from here on each part of a piece is a unit of its own
	ways   = 4         // times as much room for such a part, unless it opens
)

// units divides the work on a piece.
func (q *search) units(p *piece) []*unit {
	var kinds [proven]bool
	for k := range kinds {
		kinds[k] = p.permits(Kind(k)) && !q.doubted.idle(p, Kind(k))
	}
	p.look = layer.NewLook(p.bytes)
	parts := q.only(kinds)
	room, finders := least+2*len(p.bytes), q.finders[p.thorough()]
	if len(p.bytes) < large {
		return []*unit{{piece: p, finders: finders, parts: parts, room: room}}
	}
	var all []*unit
	for i := range finders {
		all = append(all, &unit{piece: p, finders: finders[i : i+1]})
	}
	for i := range parts {
		u := &unit{piece: p, parts: parts[i : i+1], room: room}
		if parts[i].Kind != Opens { // no bomb: what reads a text in many ways would need a second round
			u.room *= ways
		}
		all = append(all, u)
	}
	return all
}

// only are the parts of some kinds, in one list for all pieces.
func (q *search) only(kinds [proven]bool) []Part {
	some, known := q.some[kinds]
	if !known {
		for _, part := range q.o.Parts {
			if kinds[part.Kind] {
				some = append(some, part)
			}
		}
		q.some[kinds] = some
	}
	return some
}

// do works on some units at once and takes what they found in their order.
func (q *search) do(ctx context.Context, units []*unit) {
	size := 0
	for _, u := range units {
		size += len(u.piece.bytes)
	}
	if workers := min(q.o.Workers, len(units)); workers > 1 && size >= worthwhile {
		share(ctx, units, workers)
	} else {
		for _, u := range units {
			u.do(ctx)
		}
	}
	for _, u := range units {
		q.take(u)
	}
}

const worthwhile = 32 << 10 // bytes for which starting goroutines pays

func share(ctx context.Context, units []*unit, workers int) {
	next := make(chan *unit, len(units))
	for _, u := range units {
		next <- u
	}
	close(next)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for u := range next {
				u.do(ctx)
			}
		})
	}
	wg.Wait()
}

func (u *unit) do(ctx context.Context) {
	for _, f := range u.finders {
		u.find(ctx, f)
	}
	o := newOpener(ctx, u)
	for _, p := range u.parts {
		if ctx.Err() != nil {
			return
		}
		switch left := o.open(ctx, p); {
		case !left || !u.piece.counts(p.Kind):
		case o.wants:
			u.spent = append(u.spent, p)
		default:
			u.cut = u.cut || p.Kind == Opens
		}
	}
}

// found is what a finder tells once for a piece.
type found struct {
	secret    int
	technique layer.Technique
}

// find keeps the best match of each secret by each technique: there may be
// millions.
func (u *unit) find(ctx context.Context, f layer.Finder) {
	defer u.recovered()
	var best map[found]int
	f.Find(u.piece.bytes, func(m layer.Match) bool {
		if !u.piece.doubt.credits(m) {
			return ctx.Err() == nil
		}
		at := found{m.Secret, m.Technique}
		i, known := best[at]
		if !known {
			if best == nil {
				best = map[found]int{}
			}
			best[at] = len(u.hits)
			u.hits = append(u.hits, m)
		} else if old := u.hits[i]; m.Bits > old.Bits || m.Bits == old.Bits && m.Offset < old.Offset {
			u.hits[i] = m
		}
		return ctx.Err() == nil
	})
}

// recovered keeps one broken stage from ending a search of hostile bytes. What
// it panicked with may hold some of them, and is dropped.
func (u *unit) recovered() {
	if recover() != nil {
		u.broke = true
	}
}

// opener lets parts take a piece apart.
type opener struct {
	unit  *unit
	part  Part
	room  layer.Room
	from  int  // where the bytes begin that the part was given
	last  int  // offset of the last view, or -1
	wants bool // room, not only an end that is missing
	yield func(layer.View) bool
}

func newOpener(ctx context.Context, u *unit) *opener {
	o := &opener{unit: u}
	o.yield = func(v layer.View) bool {
		v.Offset = min(max(v.Offset, 0)+o.from, len(u.piece.bytes))
		o.last = max(o.last, v.Offset)
		u.views = append(u.views, yielded{View: v, kind: u.piece.proves(o.part.Kind, v)})
		return ctx.Err() == nil
	}
	return o
}

// open reports whether the part left something. Where that is for want of
// room, the part is given the bytes behind the last thing that it took out, so
// that one bomb does not hide what comes after it.
func (o *opener) open(ctx context.Context, p Part) bool {
	b := o.unit.piece.bytes
	o.part, o.from, o.last, o.wants = p, 0, -1, false
	o.once(b, o.unit.room)
	if !o.room.Spent() || p.Kind != Opens {
		return o.room.Spent()
	}
	for work := len(b); o.room.Spent() && o.last >= o.from && o.last+1 < len(b) && ctx.Err() == nil; {
		o.from = o.last + 1
		if work += len(b) - o.from; work > patience+8*len(b) {
			break
		}
		o.once(b[o.from:], min(least, o.unit.room))
	}
	return true
}

const patience = 64 << 20 // bytes that a part may be given again

func (o *opener) once(b []byte, room int) {
	defer o.unit.recovered()
	o.room = *layer.NewRoom(room)
	o.room.Share(o.unit.piece.look)
	o.part.Open(b, &o.room, o.yield)
	used := room - o.room.Left()
	o.unit.used = max(o.unit.used, used)
	o.wants = o.wants || o.room.Spent() && (o.room.Short() || used >= room/2)
}

// why guesses what a unit that is still hungry wants: it is not told. A decoder
// takes much for the beginning of what it decodes: that the rest of it is
// missing says nothing.
func (u *unit) why(left int) (why Reason, told bool) {
	if u.used >= u.room/2 || left <= 0 {
		return Budget, true
	}
	return Cut, slices.ContainsFunc(u.parts, func(p Part) bool { return p.Kind == Opens })
}

// floor is how many bits of a secret count in so many bytes: that many appear
// by chance once in 2^rare searches of this size.
func (q *search) floor() int {
	return rare + bits.Len(uint(q.total)) + bits.Len(uint(len(q.bits)-1))
}

const rare = 15
