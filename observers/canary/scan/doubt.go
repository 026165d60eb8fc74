package scan

import (
	"bytes"
	"unicode/utf8"

	"postern/observers/canary/container"
	"postern/observers/canary/fragment"
	"postern/observers/canary/layer"
)

// doubt counts the guesses on the way to a piece. Decoders and selections make
// something of any bytes, and of what they made something again: without a
// bound on guesses upon guesses a page of text has millions of readings. So
// what was guessed is still decoded, but not guessed at again, until a format
// with marks of its own, or text where there was none, shows that the guess was
// right. This bound is part of what the search is: it is not told as unread.
type doubt int

const (
	none     doubt = 0
	selected doubt = 2 // a selection is worth two decoders
	utmost   doubt = 3 // only formats with marks of their own are looked for
)

// after is the doubt about what a part made of a piece: there is none to add
// where it found text in fewer bytes, as a decoder that was right does. What
// may only have cut is believed once.
func (p *piece) after(k Kind, b []byte) doubt {
	switch {
	case k == Opens:
		return none
	case k == proven:
		return p.doubt
	case k == weak:
		return min(p.doubt+1, utmost)
	case k == Selects:
		return min(p.doubt+selected, utmost)
	case 5*len(b) <= 4*len(p.bytes) && (k != Cuts || p.depth == 0) && telling(b):
		return p.doubt
	default:
		return min(p.doubt+1, utmost)
	}
}

// proves is the kind of what a part made of a piece: a stream of a compression
// without marks of its own that ends in text shows that the guess at it was right,
// unless the text stood there before. Guesses on the way to it stay guesses. Text
// that text was masked as, a document that hardly has a tag, packets in what was taken from
// packets, and a format that a guess shows only under a mask, show nothing.
func (p *piece) proves(k Kind, v layer.View) Kind {
	switch v.Technique {
	case container.Brotli, container.Deflate, container.LZString:
		if len(v.Bytes) >= wideText && telling(v.Bytes) && !bytes.Contains(p.bytes, v.Bytes[:wideText]) {
			return proven
		}
	case container.MaskedText:
		if end := v.Offset + len(v.Bytes); end <= len(p.bytes) && telling(p.bytes[v.Offset:end]) {
			return weak
		}
	case "septets", "bacon", "telegraph", "five-bits", "spaced-letters", "letter-numbers", "polybius", "multi-tap", "ebcdic":
		return weak // they make text of anything
	case container.Masked:
		if p.doubt > none || p.trail != nil && p.trail.technique == v.Technique {
			return weak // of thousands of guesses some begin so
		}
	case "capture":
		if p.trail != nil && p.trail.technique == v.Technique {
			return weak // by chance it makes thousands of what it made
		}
	case container.Markup:
		if 8*len(v.Bytes) > 7*len(p.bytes) || p.sparse() {
			return weak
		}
	default:
		if k == Decodes && len(v.Bytes) >= long && v.Offset < len(p.bytes) && bytes.HasPrefix(p.bytes[v.Offset:], v.Bytes[:wideText]) {
			return weak
		}
	}
	return k
}

const long = 4 << 10 // bytes of a view that is believed for no text of what it was made of

// sparse reports whether a document has so few tags that they may be there by
// chance, as in noise amid text. It is asked of each of thousands of views.
func (p *piece) sparse() bool {
	const apart = 4 << 10 // bytes from one tag to the next
	p.tagged.Do(func() {
		tags := bytes.Count(p.bytes, []byte("</")) + bytes.Count(p.bytes, []byte("/>")) + bytes.Count(p.bytes, []byte("<!--"))
		p.bare = tags*apart < len(p.bytes)-apart
	})
	return p.bare
}

// credits reports whether a match is to be believed. Pieces that are enough only
// together are so by the number of places in one input: of thousands of guesses
// at an input some would have as many by chance.
func (d doubt) credits(m layer.Match) bool {
	return d == none || m.Technique != fragment.Sum || m.Bits >= strongBits
}

// allowance is how many bytes of doubtful pieces are searched: of what one
// decoder made, and of selections and what was made of them. Of the first much
// less is worth while, and each costs more: of 1,279 samples of the corpus one
// needed more than 14 KiB of them, and it 55, but eight more than 256 KiB of the
// others, and two more than 1 MiB. In each region the lightest come
// first. Of what a decoder is believed for everything is searched,
// but only so much as thoroughly as what a format's marks opened: of text in
// text there is no end of readings.
type allowance struct {
	decoded, guessed int
	small, big       int // of what is believed
	chosen           int // bytes that selections make of what lies below, searched or not
}

const doubtful = 256 // what a doubtful piece costs besides its bytes, in bytes

// Up to fewGuesses bytes of input all of Options.Guesses may be guessed; of a
// larger input less and less, down to an eighth, and a part that grows with it:
// the lightest guesses come first, and one at all of it is long. Of 291 samples
// amid 64 KiB of a log four needed more than 224 KiB, and of 146 amid 1 MiB none.
const (
	fewGuesses = 8 << 10
	inputShare = 64 // of the input one part in so many is allowed for besides
)

func (o Options) allow(n int) allowance {
	least := o.Guesses / 8
	g := least + (o.Guesses-least)*fewGuesses/max(n, fewGuesses)
	a := allowance{decoded: o.Guesses/24 + n/inputShare, guessed: g + n/inputShare, small: o.Guesses / 24, chosen: 2*g + n}
	a.grow(n)
	return a
}

// grow allows for readings of what is no guess. Of what is a quarter shorter
// each time, as Base64 is, all layers together are three times as long.
func (a *allowance) grow(n int) { a.small, a.big = a.small+n/inputShare, a.big+3*n }

func (a *allowance) take(p *piece) bool {
	cost := len(p.bytes) + doubtful
	left := &a.guessed
	switch {
	case p.doubt == none:
		a.believe(p, cost)
		return true
	case p.marked: // a decoder was right, or it is one of few: what is searched below it is no guess
		return true
	case p.doubt == 1:
		left = &a.decoded
	}
	if cost > *left {
		return false
	}
	*left -= cost
	return true
}

// believe charges for a piece that a decoder is believed for. Small ones, of
// which there may be thousands, use up nothing of what is left for the rest.
func (a *allowance) believe(p *piece, cost int) {
	if !p.believed {
		a.grow(len(p.bytes))
		return
	}
	left := &a.big
	if len(p.bytes) < large {
		left = &a.small
	}
	if p.hasty = cost > *left; !p.hasty {
		*left -= cost
	}
}

// thorough is the doubt by which finders are chosen.
func (p *piece) thorough() doubt {
	if p.hasty {
		return max(p.doubt, selected)
	}
	return p.doubt
}

// over reports whether a view of n bytes and this much doubt would not be
// searched whenever its turn came: an allowance only becomes less.
func (a *allowance) over(d doubt, n int) bool {
	switch d {
	case none:
		return false
	case 1:
		return n+doubtful > a.decoded
	}
	return n+doubtful > a.guessed
}

// idle reports whether nothing that a part of some kind makes of a piece would
// be searched, so that the part need not be tried.
func (a *allowance) idle(p *piece, k Kind) bool {
	switch {
	case k == Opens:
		return false
	case k == Selects && p.depth > 0 && a.chosen <= 0:
		return true
	case k != Selects && p.doubt < selected:
		return a.over(p.doubt, tiny) && a.over(selected, tiny)
	}
	return a.over(selected, tiny)
}

// permits reports whether a part of some kind is worth trying on a piece. Of
// what was decoded at once from a good part of the input, selections are.
func (p *piece) permits(k Kind) bool {
	switch k {
	case Opens:
		return true
	case Decodes, Cuts:
		return p.doubt < utmost
	default:
		return !p.hasty && p.doubt == none || p.doubt < selected && p.depth == 1 && p.main
	}
}

// counts reports whether what a part leaves unread of a piece is told.
func (p *piece) counts(k Kind) bool {
	switch k {
	case Opens:
		return p.doubt < selected
	case Decodes, Cuts:
		return p.doubt == none
	default:
		return false // its bounds are part of what a selection is
	}
}

// telling reports whether bytes look like text, of one byte a character, of two, or
// of UTF-8: a decoder that was wrong seldom yields that.
func telling(b []byte) bool {
	b = b[:min(len(b), sampled)]
	if n := bytes.Count(b, []byte{0}); len(b) >= wideText && 8*n >= 3*len(b) && 8*n <= 5*len(b) {
		b = everySecond(b)
	}
	odd := 0
	for i := 0; i < len(b); {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError {
			odd += n
		}
		i += n
	}
	return odd*16 <= len(b)
}

// wideText is how many bytes of text in UTF-16 are not so by chance.
const wideText = 24

// everySecond is the low bytes of UTF-16 that are mostly ASCII, in either order.
func everySecond(b []byte) []byte {
	zeros := [2]int{}
	for i, c := range b {
		if c == 0 {
			zeros[i&1]++
		}
	}
	from := 0
	if zeros[0] > zeros[1] {
		from = 1
	}
	out := make([]byte, 0, len(b)/2)
	for i := from; i < len(b); i += 2 {
		out = append(out, b[i])
	}
	return out
}
