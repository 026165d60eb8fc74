package observers

import (
	"archive/tar"
	"path"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// figure is what is a number about one file: each can spell a part of a secret.
type figure struct {
	size, mode         uint64
	modified, accessed uint64 // seconds
	links              uint64 // names of the same file, 0 for one
}

// alphabets are the numbers, and how many low bits of each are read.
var alphabets = []struct {
	of   func(figure) uint64
	bits int
}{
	{func(f figure) uint64 { return f.size }, 8},
	{func(f figure) uint64 { return f.mode }, 8},
	{func(f figure) uint64 { return f.modified }, 32},
	{func(f figure) uint64 { return f.accessed }, 32},
	{func(f figure) uint64 { return f.links }, 4},
}

const maxFigures = 1 << 18 // files; what goes beyond is a drop

// figures are those of all regular files, by directory, in the order of names.
type figures struct {
	rows  map[string][]figure
	count int
}

func newFigures() *figures { return &figures{rows: map[string][]figure{}} }

// tar notes one entry of an archive. Numbers of links are left to who can look
// at the files: some storage drivers hide them from archives, some do not.
func (f *figures) tar(h *tar.Header) error {
	if h.Typeflag != tar.TypeReg {
		return nil
	}
	return f.add(h.Name, figure{size: uint64(h.Size), mode: uint64(h.Mode), modified: uint64(h.ModTime.Unix())})
}

func (f *figures) add(name string, row figure) error {
	if f.count++; f.count > maxFigures {
		return errTooLong
	}
	dir := path.Dir(path.Clean(name))
	f.rows[dir] = append(f.rows[dir], row)
	return nil
}

// scan looks for canaries that the numbers of a directory spell, in each of
// the alphabets by itself.
func (f *figures) scan(watch *canary.Watch) map[channel.ID]int {
	seen := map[channel.ID]int{}
	for _, rows := range f.rows {
		for _, a := range alphabets {
			var spelt map[channel.ID]int // a row of bits may show wherever bytes begin
			for _, text := range spell(rows, a.of, a.bits) {
				spelt = most(spelt, tally(watch.Scan(text)))
			}
			for id, n := range spelt {
				seen[id] += n
			}
		}
	}
	return seen
}

// spell joins the low bits of the rows' numbers, most significant first, from
// every row at which a byte can begin.
func spell(rows []figure, of func(figure) uint64, bits int) [][]byte {
	if len(rows)*bits < canary.Size*8 {
		return nil
	}
	var texts [][]byte
	for first := range max(1, 8/bits) {
		texts = append(texts, pack(rows[first:], of, bits))
	}
	return texts
}

func pack(rows []figure, of func(figure) uint64, bits int) []byte {
	var out []byte
	var held uint64
	n := 0
	for _, r := range rows {
		held = held<<bits | of(r)&(1<<bits-1)
		for n += bits; n >= 8; n -= 8 {
			out = append(out, byte(held>>(n-8)))
		}
	}
	return out
}
