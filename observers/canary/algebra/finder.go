package algebra

import (
	"sync"

	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// Up to these many bytes of one input, what is slower is done as well.
const (
	blockSize  = 32 << 10  // goes through all tables while it is in the cache
	largeInput = 16 << 20  // common strides
	otherInput = 256 << 10 // odd key lengths, more strides, rare dresses, tokens, groups
	smallInput = 32 << 10  // symbols apart or with others between, wide strides and groups
	keyedInput = 8 << 10   // keys over alphabets of characters
	tinyInput  = 2 << 10   // fields of bits, any stride
)

// finder is immutable but for its spare buffers.
type finder struct {
	*tables
	large    []*table // that any input is passed through
	small    []*table // that those are which are not large
	equality equality
	modular  modular
	clear    clearDigits
	split    splitters
	sampled  []*sampled
	readings []reading
	buffers  sync.Pool
}

// New returns the finder for these secrets.
func New(secrets []secret.Secret) layer.Finder { return Grades(secrets).Full }

// Graded are finders that share their tables: the less an input is to be
// trusted, the less is done for it.
type Graded struct {
	Full     layer.Finder // that of New
	Decoded  layer.Finder // for what a decoder may have made of anything: no fields of bits, substitutions in small inputs only
	Selected layer.Finder // for one of many guesses at which bytes belong together: what costs little
	Quick    layer.Finder // for inputs of any size what Full does for large ones
}

// Grades returns the finders for these secrets.
func Grades(secrets []secret.Secret) Graded {
	f := build(secrets)
	graded := func(g grade) layer.Finder {
		return layer.NewFinder(func(b []byte, yield func(layer.Match) bool) { f.find(b, g, yield) })
	}
	return Graded{Full: graded(full), Decoded: graded(decoded), Selected: graded(selected), Quick: layer.NewFinder(f.quick)}
}

type grade int

const (
	full grade = iota
	decoded
	selected
)

func build(secrets []secret.Secret) *finder {
	f := &finder{tables: newTables(), split: newSplitters(), sampled: newSampled(), readings: readings(), buffers: sync.Pool{New: func() any { return new(symbols) }}}
	for i, s := range secrets {
		for _, c := range carriers(i, s) {
			dresser{f.tables, c, s.Bits(), s.Raw() != nil}.dress()
			f.equality.take(c, s.Bits())
			f.modular.take(c, s.Bits())
			f.clear.take(c, s.Bits())
			for _, x := range f.sampled {
				x.take(c, s.Bits())
			}
		}
	}
	for _, t := range f.tables.all() {
		t.Freeze()
	}
	f.large, f.small = f.always(), append(f.always(), f.others()...)
	f.equality.Freeze()
	f.modular.Freeze()
	f.clear.Freeze()
	for _, x := range f.sampled {
		x.Freeze()
	}
	return f
}

func (f *finder) find(b []byte, g grade, yield func(layer.Match) bool) {
	if len(b) < minRaw-1 {
		return
	}
	s := &search{finder: f, grade: g, b: b, yield: yield}
	if len(b) > otherInput {
		s.blocks(f.large)
	} else {
		s.blocks(f.small)
	}
	if g < selected {
		s.strides()
		s.sampledBits()
	}
	if s.done || len(f.equality.sequences) == 0 || 2*len(b) < minSymbols || len(b) > otherInput || g > full && len(b) > smallInput {
		return
	}
	s.symbols = f.buffers.Get().(*symbols)
	defer f.buffers.Put(s.symbols)
	s.substitutions()
}

// quick does what any input can afford.
func (f *finder) quick(b []byte, yield func(layer.Match) bool) {
	if len(b) >= minRaw-1 {
		s := &search{finder: f, b: b, yield: yield}
		s.blocks(f.large)
	}
}

// blocks passes each block through all tables.
func (s *search) blocks(passes []*table) {
	for lo := 0; lo < len(s.b) && !s.done; lo += blockSize {
		hi := min(lo+blockSize, len(s.b))
		for _, t := range passes {
			s.differences(t, lo, hi)
		}
		s.equalBytes(s.b, lo, hi, nil)
	}
}

// strides: a byte of the secret every so many bytes.
func (s *search) strides() {
	most := 0
	switch n := len(s.b); {
	case n <= tinyInput: // all
		most = n / minRaw
	case n <= smallInput:
		most = 32
	case n <= otherInput:
		most = 16
	case n <= largeInput:
		most = 4
	}
	for stride := 2; stride <= most && !s.done; stride++ {
		s.stride(stride)
	}
	if most == 4 {
		s.stride(8)
	}
}

func (s *search) stride(stride int) {
	if len(s.apart.patterns) > 0 {
		s.apart.passApart(s.b, stride, func(p int) { s.candidate(s.apart, p, stride) })
	}
}
