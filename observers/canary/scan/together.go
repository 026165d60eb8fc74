package scan

import (
	"hash/maphash"

	"postern/observers/canary/layer"
)

const (
	little  = 256      // bytes of a view that is worth no piece of its own, where it is one of
	several = 32       // doubtful ones or more, of one technique, from one piece
	sheaf   = 4 << 10  // bytes of them that are searched as one
	crowd   = 64 << 10 // of those that are believed, but too many
)

// sort of view, of those that one part made of a piece.
type sort struct {
	technique layer.Technique
	kind      Kind
	believed  bool
}

func (s sort) size() int {
	if s.believed {
		return crowd
	}
	return sheaf
}

// together puts small doubtful views of one sort into one, a line apart: what
// searching a piece costs besides its bytes is more than they are worth. Of so
// many a decoder that needs a piece for itself made none for good reason. So it
// puts those together that are believed, once there are too many of them.
func (q *search) together(from *piece, views []yielded) []yielded {
	if len(views) <= several {
		return views
	}
	many, sorts := map[sort]int{}, make([]sort, len(views))
	for i, v := range views {
		if sorts[i] = v.sort(from); len(v.Bytes) < little {
			many[sorts[i]]++
		}
	}
	open := map[sort]*yielded{}
	var all []yielded
	var order []sort
	thorough := q.doubted.small
	for i, v := range views {
		s := sorts[i]
		if s.believed && v.kind != Opens {
			thorough -= len(v.Bytes) + doubtful
		}
		if len(v.Bytes) >= little || many[s] <= several || s.believed && (thorough >= 0 || v.kind == Opens) {
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
		if len(one.Bytes) >= s.size()-little {
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

// sort is what a view can be put together with; of many that are in doubt no one
// is believed.
func (v yielded) sort(from *piece) sort {
	if from.after(v.kind, v.Bytes) == none {
		return sort{v.Technique, proven, true}
	}
	kind := v.kind
	if kind == Decodes || kind == Cuts {
		kind = weak
	}
	return sort{technique: v.Technique, kind: kind}
}

// known reports whether these bytes were enqueued, with no more doubt than now:
// a worse guess at the same may have been followed less far.
func (q *search) known(b []byte, d doubt) bool {
	before, known := q.seen[maphash.Bytes(q.seed, b)]
	return known && before <= d
}
