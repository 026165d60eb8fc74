// Package container takes apart compression, archives and file formats: what
// lies in them is known by its bytes, at any offset, never by a name, and what
// could be read of a truncated or damaged one is yielded too.
//
// It promises one layer at a time, no panic, no more memory than the room and
// a small multiple of the input, and to spend the room where something readable
// was left. It does not open encrypted archives, or streams whose dictionary is
// elsewhere.
package container

import "postern/observers/canary/layer"

// The closed words for what a view was in, where no format's own file has them.
const (
	Container layer.Technique = "container"
	Bare      layer.Technique = "bare-compression"
	Record    layer.Technique = "record"
	Document  layer.Technique = "document"
)

// Stages returns one stage for all that begins with known bytes, in one pass,
// and one for each manner of recognising the rest.
func Stages() []layer.Stage {
	t, p := newTable(kinds()), &pools{}
	return []layer.Stage{
		stage(Container, p, t.walk),
		stage(Bare, p, openBare),
		stage(Record, p, openRecords),
		stage(Document, p, openDocument),
		stage(Masked, p, opensMasked()),
		stage(MaskedText, p, opensMaskedText()),
	}
}

// stage runs open within the bounds of a piece.
func stage(t layer.Technique, p *pools, open func(*work)) layer.Stage {
	return layer.Stage{Technique: t, Open: func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		w := &work{b: b, room: room, yield: yield, effort: effortFor(len(b)), pools: p}
		w.guard(func() { open(w) })
		w.finish()
	}}
}

// kinds lists every format that is known by its first bytes.
func kinds() []kind {
	var all []kind
	for _, family := range [][]kind{
		compressionKinds(), archiveKinds(), pictureKinds(), soundKinds(), documentKinds(), databaseKinds(),
	} {
		all = append(all, family...)
	}
	return all
}
