package scan

import (
	"hash/maphash"

	"postern/observers/canary/layer"
)

const (
	little  = 256     // bytes of a view that is worth no piece of its own, where it is one of
	several = 32      // doubtful ones or more, of one technique, from one piece
	sheaf   = 4 << 10 // bytes of them that are searched as one
)

// sort of view, of those that one part made of a piece.
type sort struct {
	technique layer.Technique
	kind      Kind
}

// together puts small doubtful views of one sort into one, a line apart: what
// searching a piece costs besides its bytes is more than they are worth. Of so
// many a decoder that needs a piece for itself made none for good reason.
func (q *search) together(from *piece, views []yielded) []yielded {
	if len(views) <= several {
		return views
	}
	many := map[sort]int{}
	for _, v := range views {
		if len(v.Bytes) < little {
			many[v.sort()]++
		}
	}
	open := map[sort]*yielded{}
	var all []yielded
	var order []sort
	for _, v := range views {
		s := v.sort()
		if len(v.Bytes) >= little || many[s] <= several || from.after(v.kind, v.Bytes) == none {
			all = append(all, v)
			continue
		}
		if len(v.Bytes) < tiny || q.known(v.Bytes, from.after(v.kind, v.Bytes)) {
			continue
		}
		if open[s] == nil {
			order = append(order, s)
			open[s] = &yielded{View: layer.View{Technique: v.Technique}, kind: s.kind, sheaf: true}
		}
		one := open[s]
		if len(one.Bytes) == 0 {
			one.Offset = v.Offset
		}
		one.Bytes = append(append(one.Bytes, v.Bytes...), '\n')
		if len(one.Bytes) >= sheaf-little {
			all = append(all, *one)
			*one = yielded{View: layer.View{Technique: v.Technique}, kind: s.kind, sheaf: true}
		}
	}
	for _, s := range order {
		if len(open[s].Bytes) > 0 {
			all = append(all, *open[s])
		}
	}
	return all
}

// light is how much less a sheaf weighs than its bytes: each of its views by itself
// would come before.
const light = 16

// sort is what a view can be put together with; of many no one is believed.
func (v yielded) sort() sort {
	kind := v.kind
	if kind == Decodes || kind == Cuts {
		kind = weak
	}
	return sort{v.Technique, kind}
}

// known reports whether these bytes were enqueued, with no more doubt than now:
// a worse guess at the same may have been followed less far.
func (q *search) known(b []byte, d doubt) bool {
	before, known := q.seen[maphash.Bytes(q.seed, b)]
	return known && before <= d
}
