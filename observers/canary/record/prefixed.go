package record

import (
	"encoding/binary"
	"slices"
	"sync"
)

// prefix is one way to write records: a tag, a length, bytes, a check.
type prefix struct {
	tag    int // bytes before the length
	kind   int // of the length
	after  int // bytes between the length and the payload
	check  int // bytes after the payload
	within int // bytes of the frame that the length counts besides the payload
}

const (
	length8 = iota
	length16
	length16Little
	length32
	length32Little
	lengthVar
	length24
	lengthKinds
)

const (
	recordsFewest = 3
	headsMost     = 16 // bytes that may stand before the first record
)

// lengthPrefixed joins the payloads of the first kinds of prefix that lead
// exactly to the end: TLV, gRPC, chunk formats.
func lengthPrefixed(b []byte) *flows {
	if len(b) > 16*large || len(b) < recordsFewest*2 {
		return nil
	}
	var f *flows
	key := uint64(0)
	able := ableIn(b)
	for _, head := range [...]int{0, 1, 2, 4, 8, 12, headsMost} {
		for _, p := range able {
			if head >= len(b) || !p.leads(b[head:]) || !p.evident(b[head:]) {
				continue
			}
			if f == nil {
				f = newFlows()
			}
			key += 256
			p.walk(b[head:], func(tag byte, off int, s []byte) bool {
				f.add(key, head+off, s)
				if p.tag > 0 {
					f.add(key+1+uint64(tag)%4, head+off, s)
				}
				return true
			})
		}
		if f != nil && len(f.list) >= flowsMost/4 {
			break
		}
	}
	if f == nil {
		return nil
	}
	return orNone(f, true)
}

// ableIn lists the prefixes whose least length fits in b. In text no byte is
// small, so no length of more than one byte is.
func ableIn(b []byte) []*prefix {
	least, every := int(slices.Min(b)), everyPrefix()
	var leasts [lengthKinds]int
	for kind, width := range lengthWidths {
		for range width {
			leasts[kind] = leasts[kind]<<8 | least
		}
	}
	able := make([]*prefix, 0, len(every))
	for i := range every {
		if p := &every[i]; leasts[p.kind]-p.within <= len(b) && !p.slow(len(b)) {
			able = append(able, p)
		}
	}
	return able
}

// lengthWidths is how many bytes a length has at least.
var lengthWidths = [lengthKinds]int{length8: 1, length16: 2, length16Little: 2, length32: 4, length32Little: 4, lengthVar: 1, length24: 3}

var everyPrefix = sync.OnceValue(prefixes)

func prefixes() []prefix {
	var all []prefix
	for kind := range lengthKinds {
		for _, tag := range []int{0, 1, 2, 4, 3, 8} {
			all = append(all, prefix{tag: tag, kind: kind})
			if kind != lengthVar {
				width := []int{1, 2, 2, 4, 4, 0, 3}[kind]
				all = append(all, prefix{tag: tag, kind: kind, within: width}, prefix{tag: tag, kind: kind, within: width + tag})
			}
		}
		for _, after := range []int{1, 2, 4} {
			all = append(all, prefix{kind: kind, after: after})
		}
		for _, check := range []int{1, 2, 4} {
			all = append(all, prefix{kind: kind, check: check}, prefix{tag: 1, kind: kind, check: check})
		}
		all = append(all, prefix{kind: kind, after: 4, check: 4}, prefix{tag: 2, kind: kind, check: 2})
	}
	return all
}

// leads reports whether the records end where b does, few of them empty.
func (p *prefix) leads(b []byte) bool {
	count, empty, carried := 0, 0, 0
	for i := 0; i < len(b); {
		at, n := p.record(b, i)
		if n < 0 {
			return false
		}
		if count++; n == 0 {
			empty++
		}
		if carried += n; count >= 32 && 2*empty >= count {
			return false
		}
		i = at + n + p.check
	}
	return count >= recordsFewest && 2*empty < count && 4*carried > len(b)
}

// record is where the payload of the one at i begins and how long it is; below
// zero where none fits.
func (p *prefix) record(b []byte, i int) (at, n int) {
	k := i + p.tag
	if k >= len(b) {
		return 0, -1
	}
	n, width := p.length(b[k:])
	if width == 0 {
		return 0, -1
	}
	k += width + p.after
	n -= p.within
	if n < 0 || k > len(b) || n > len(b)-k-p.check {
		return 0, -1
	}
	return k, n
}

// slow reports whether short lengths would make a walk over a large piece
// that is something else take long.
func (p *prefix) slow(n int) bool {
	return n > thoroughMost && (p.kind == length8 || p.kind == lengthVar)
}

// walk visits the records until one does not fit or is not wanted, and says
// where.
func (p *prefix) walk(b []byte, visit func(tag byte, off int, s []byte) bool) int {
	for i := 0; i < len(b); {
		at, n := p.record(b, i)
		if n < 0 {
			return i
		}
		tag := byte(0)
		if p.tag > 0 {
			tag = b[i+p.tag-1]
		}
		if !visit(tag, at, b[at:at+n]) {
			return i
		}
		i = at + n + p.check
	}
	return len(b)
}

// length reads one of what is not empty; no width means that there is none.
func (p *prefix) length(b []byte) (n, width int) {
	if p.kind == lengthVar {
		v, w := binary.Uvarint(b)
		if w <= 0 || v > 1<<31 {
			return 0, 0
		}
		return int(v), w
	}
	if width = lengthWidths[p.kind]; len(b) < width {
		return 0, 0
	}
	switch p.kind {
	case length8:
		return int(b[0]), width
	case length16:
		return int(binary.BigEndian.Uint16(b)), width
	case length16Little:
		return int(binary.LittleEndian.Uint16(b)), width
	case length24:
		return int(b[0])<<16 | int(b[1])<<8 | int(b[2]), width
	case length32:
		return int(binary.BigEndian.Uint32(b)), width
	default:
		return int(binary.LittleEndian.Uint32(b)), width
	}
}
