package container

// szReader reads the numbers of a 7z header; what is not there is bad.
type szReader struct {
	b   []byte
	bad bool
}

func (r *szReader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return szEnd
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

// num reads a number whose first byte says how many follow.
func (r *szReader) num() uint64 {
	first, v := r.byte(), uint64(0)
	for i := range 8 {
		if first&(0x80>>i) == 0 {
			return v | uint64(first&(0x7f>>i))<<(8*i)
		}
		v |= uint64(r.byte()) << (8 * i)
	}
	return v
}

func (r *szReader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// count is a number of things of which each takes a byte of the header.
func (r *szReader) count() int {
	n := r.num()
	if n > uint64(len(r.b)) {
		r.bad = true
		return 0
	}
	return int(n)
}

// digests skips checksums.
func (r *szReader) digests(n int) {
	defined := n
	if r.byte() == 0 {
		defined = 0
		for _, c := range r.take(uint64(n+7) / 8) {
			for ; c != 0; c &= c - 1 {
				defined++
			}
		}
	}
	r.take(4 * uint64(defined))
}

// streams reads where the folders are, relative to base, and how they are packed.
func (r *szReader) streams(base int) (folders []szFolderInfo) {
	var packs []int
	at := base
	for !r.bad {
		switch r.byte() {
		case szPack:
			at, packs = r.packs(base)
		case szUnpack:
			folders = r.folders()
		case szSub:
			r.subStreams(folders)
		default:
			return placed(folders, packs, at)
		}
	}
	return placed(folders, packs, at)
}

// placed gives each folder its first packed stream.
func placed(folders []szFolderInfo, packs []int, at int) []szFolderInfo {
	for i := range folders {
		f := &folders[i]
		for n := 0; n < f.packs && len(packs) > 0; n++ {
			if n == 0 {
				f.at, f.len = at, packs[0]
			}
			at += packs[0]
			packs = packs[1:]
		}
	}
	return folders
}

// packs reads the lengths of the packed streams.
func (r *szReader) packs(base int) (at int, packs []int) {
	const most = 1 << 40
	at = base + int(min(r.num(), most))
	n := r.count()
	for !r.bad {
		switch r.byte() {
		case szSizes:
			for range n {
				packs = append(packs, int(min(r.num(), most)))
			}
		case szCRC:
			r.digests(n)
		default:
			return at, packs
		}
	}
	return at, packs
}

func (r *szReader) folders() (folders []szFolderInfo) {
	for !r.bad {
		switch r.byte() {
		case szFolder:
			n := r.count()
			if r.byte() != 0 {
				r.bad = true
			}
			for ; n > 0 && !r.bad; n-- {
				folders = append(folders, r.folder())
			}
		case szCoderSizes:
			for i := range folders {
				for n := 0; n < folders[i].outs && !r.bad; n++ {
					folders[i].size = max(folders[i].size, r.num())
				}
			}
		case szCRC:
			r.digests(len(folders))
		default:
			return folders
		}
	}
	return folders
}

// folder reads the coders; the one that packs is remembered.
func (r *szReader) folder() (f szFolderInfo) {
	ins := 0
	for n := r.count(); n > 0 && !r.bad; n-- {
		flags := r.byte()
		method := string(r.take(uint64(flags & 15)))
		in, out := 1, 1
		if flags&0x10 != 0 {
			in, out = r.count(), r.count()
		}
		var props []byte
		if flags&0x20 != 0 {
			props = r.take(r.num())
		}
		ins, f.outs = ins+in, f.outs+out
		switch {
		case method == "\x06\xf1\x07\x01":
			f.locked = true
		case method == "\x03" && len(props) == 1:
			f.delta = int(props[0]) + 1
		case len(method) > 1 && method[:2] == "\x03\x03", method == "\x0a", f.method != "":
		default:
			f.method, f.props = method, props
		}
	}
	binds := max(f.outs-1, 0)
	for range binds {
		r.num()
		r.num()
		if r.bad {
			return f
		}
	}
	f.packs = max(ins-binds, 1)
	for n := 0; f.packs > 1 && n < f.packs && !r.bad; n++ {
		r.num()
	}
	return f
}

// subStreams skips how the folders divide into files.
func (r *szReader) subStreams(folders []szFolderInfo) {
	files := len(folders)
	for !r.bad {
		switch r.byte() {
		case 13:
			files = 0
			for range folders {
				files += int(min(r.num(), 1<<20))
			}
		case szSizes:
			for n := files - len(folders); n > 0 && !r.bad; n-- {
				r.num()
			}
		case szCRC:
			r.digests(files)
		default:
			return
		}
	}
}
