package corpus

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// entry is a file in an archive.
type entry struct {
	name string
	body []byte
	head func(*tar.Header)
}

// others are entries of an archive that hold nothing.
func (s *scene) others(n int) []entry {
	var out []entry
	for i := range n {
		out = append(out, entry{name: fmt.Sprintf("%s/%s%d.txt", s.word(), s.word(), i), body: []byte(s.prose(1 + s.IntN(6)))})
	}
	return out
}

// between puts an entry among others.
func (s *scene) between(e ...entry) []entry {
	return append(append(s.others(1+s.IntN(3)), e...), s.others(1+s.IntN(3))...)
}

func tarred(entries []entry) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.body)), ModTime: time.Unix(1772000000, 0)}
		if e.head != nil {
			e.head(h)
		}
		must(w.WriteHeader(h))
		must1(w.Write(e.body))
	}
	must(w.Close())
	return out.Bytes()
}

func zipped(method uint16, comment string, entries []entry) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	must(w.SetComment(comment))
	for _, e := range entries {
		f := must1(w.CreateHeader(&zip.FileHeader{Name: e.name, Method: method, Modified: time.Unix(1772000000, 0)}))
		must1(f.Write(e.body))
	}
	must(w.Close())
	return out.Bytes()
}

func (s *scene) storyEntry() []entry {
	return s.between(entry{name: "data/notes.txt", body: s.story()})
}

func tarFile(name string, tier int, f func(*scene) []entry) trick {
	return file(name, tier, "tar", func(s *scene) []byte { return tarred(s.between(f(s)...)) })
}

func zipFile(name string, tier int, f func(*scene) []entry) trick {
	return file(name, tier, "zip", func(s *scene) []byte { return zipped(zip.Deflate, "", s.between(f(s)...)) })
}

func head(set func(*scene, *tar.Header)) func(*scene) []entry {
	return func(s *scene) []entry {
		return []entry{{"etc/app.conf", []byte(s.prose(2)), func(h *tar.Header) { set(s, h) }}}
	}
}

// per makes one entry for each piece of n digits.
func per(n int, f func(i int, piece string) entry) func(*scene) []entry {
	return func(s *scene) []entry {
		var out []entry
		for i, c := range chunks(s.hex, n) {
			out = append(out, f(i, c))
		}
		return out
	}
}

// stamped hides four bytes in each of four times.
func stamped(s *scene) []entry {
	var out []entry
	for i := range 4 {
		at := time.Unix(int64(binary.BigEndian.Uint32(s.raw[4*i:])), 0)
		out = append(out, entry{fmt.Sprintf("log/%d", i), []byte(s.prose(1)), func(h *tar.Header) { h.ModTime = at }})
	}
	return out
}

func archives() []trick {
	return []trick{
		file("tar", 1, "tar", func(s *scene) []byte { return tarred(s.storyEntry()) }),
		file("tar-gzip", 1, "tar.gz", func(s *scene) []byte { return gz(tarred(s.storyEntry())) }),
		file("tar-xz", 2, "tar.xz", func(s *scene) []byte { return xzed(tarred(s.storyEntry())) }),
		file("tar-zstd", 2, "tar.zst", func(s *scene) []byte { return zst(tarred(s.storyEntry())) }),
		file("tar-bzip2", 2, "tar.bz2", func(s *scene) []byte { return bzip2(tarred(s.storyEntry())) }),
		file("tar-of-gzip", 2, "tar", func(s *scene) []byte { return tarred(s.between(entry{name: "notes.gz", body: gz(s.story())})) }),
		file("tar-in-tar", 2, "tar", func(s *scene) []byte {
			return tarred(s.between(entry{name: "layer.tar", body: tarred(s.storyEntry())}))
		}),
		file("image-layers", 2, "tar", func(s *scene) []byte {
			layer := gz(tarred(s.storyEntry()))
			return tarred([]entry{{name: "manifest.json", body: []byte(`[{"Config":"c.json","Layers":["l/layer.tar.gz"]}]`)}, {name: "l/layer.tar.gz", body: layer}})
		}),
		tarFile("tar-name", 1, func(s *scene) []entry { return []entry{{name: "tmp/" + s.hex, body: nil}} }),
		tarFile("tar-long-name", 2, func(s *scene) []entry { return []entry{{name: strings.Repeat("long/", 30) + s.hex + "/x", body: nil}} }),
		file("tar-link", 2, "tar", func(s *scene) []byte {
			set := func(h *tar.Header) { h.Typeflag, h.Linkname = tar.TypeSymlink, "../"+s.hex }
			return tarred(s.between(entry{"usr/lib/current", nil, set}))
		}),
		tarFile("tar-owner", 2, head(func(s *scene, h *tar.Header) { h.Uname = s.hex[:31]; h.Gname = s.hex[31:] })),
		tarFile("tar-attribute", 2, head(func(s *scene, h *tar.Header) {
			h.Format, h.PAXRecords = tar.FormatPAX, map[string]string{"SCHILY.xattr.user.note": s.hex}
		})),
		tarFile("tar-attribute-raw", 2, head(func(s *scene, h *tar.Header) {
			h.Format, h.PAXRecords = tar.FormatPAX, map[string]string{"comment": string(b64(s.raw))}
		})),
		tarFile("tar-names-pieces", 3, per(4, func(i int, c string) entry { return entry{name: fmt.Sprintf("part%d_%s", i, c)} })),
		tarFile("tar-names-digits", 3, per(1, func(i int, c string) entry { return entry{name: fmt.Sprintf("f%02d%s.log", i, c)} })),
		tarFile("tar-bodies-pieces", 3, per(4, func(i int, c string) entry { return entry{name: fmt.Sprintf("p/%d", i), body: []byte(c)} })),
		tarFile("tar-bodies-digits", 3, per(1, func(i int, c string) entry { return entry{name: fmt.Sprintf("p/%02d", i), body: []byte(c + "\n")} })),
		file("tar-bodies-shuffled", 3, "tar", func(s *scene) []byte {
			e := per(4, func(i int, c string) entry { return entry{name: fmt.Sprintf("part-%d", i), body: []byte(c)} })(s)
			s.Shuffle(len(e), func(i, j int) { e[i], e[j] = e[j], e[i] })
			return tarred(s.between(e...))
		}),
		tarFile("tar-times", 4, stamped),
		tarFile("tar-owners-numbers", 4, func(s *scene) []entry {
			var out []entry
			for i := range 8 {
				id := int(binary.BigEndian.Uint16(s.raw[2*i:]))
				out = append(out, entry{fmt.Sprintf("q/%d", i), []byte("x"), func(h *tar.Header) { h.Uid = id }})
			}
			return out
		}),
		tarFile("tar-sizes", 4, func(s *scene) []entry {
			var out []entry
			for i, c := range s.raw {
				out = append(out, entry{name: fmt.Sprintf("z/%02d", i), body: s.noise(int(c))})
			}
			return out
		}),
		file("tar-slack", 2, "tar", func(s *scene) []byte {
			b := tarred(s.others(2))
			copy(b[len(b)-900:], s.hex)
			return b
		}),
		file("tar-after-end", 2, "tar", func(s *scene) []byte { return append(tarred(s.others(2)), b64(s.raw)...) }),
		file("zip", 1, "zip", func(s *scene) []byte { return zipped(zip.Deflate, "", s.storyEntry()) }),
		file("zip-stored", 1, "zip", func(s *scene) []byte { return zipped(zip.Store, "", s.storyEntry()) }),
		file("zip-in-zip", 2, "zip", func(s *scene) []byte {
			return zipped(zip.Deflate, "", s.between(entry{name: "in.zip", body: zipped(zip.Deflate, "", s.storyEntry())}))
		}),
		file("zip-four-deep", 2, "zip", func(s *scene) []byte {
			b := zipped(zip.Deflate, "", s.storyEntry())
			for range 3 {
				b = zipped(zip.Deflate, "", []entry{{name: "a.zip", body: b}})
			}
			return b
		}),
		file("zip-comment", 1, "zip", func(s *scene) []byte { return zipped(zip.Deflate, "made by "+s.hex, s.others(2)) }),
		zipFile("zip-name", 1, func(s *scene) []entry { return []entry{{name: s.hex + "/"}} }),
		zipFile("zip-names-pieces", 3, per(2, func(i int, c string) entry { return entry{name: fmt.Sprintf("img_%02d_%s.jpg", i, c)} })),
		zipFile("zip-bodies-pieces", 3, per(4, func(i int, c string) entry { return entry{name: fmt.Sprintf("%d.txt", i), body: []byte(c)} })),
		zipFile("zip-bodies-digits", 3, per(1, func(i int, c string) entry { return entry{name: fmt.Sprintf("%02d", i), body: []byte(c)} })),
		file("zip-entry-comment", 2, "zip", func(s *scene) []byte { return zipWith(s, func(h *zip.FileHeader) { h.Comment = s.hex }) }),
		file("zip-extra", 2, "zip", func(s *scene) []byte {
			return zipWith(s, func(h *zip.FileHeader) { h.Extra = append([]byte{0xfe, 0xca, 16, 0}, s.raw...) })
		}),
		file("zip-after-program", 2, "exe", func(s *scene) []byte {
			return append(s.amidBinary([]byte("MZ")), zipped(zip.Deflate, "", s.storyEntry())...)
		}),
		file("zip-no-directory", 2, "zip", func(s *scene) []byte {
			b := zipped(zip.Deflate, "", s.storyEntry())
			return b[:bytes.Index(b, []byte("PK\x01\x02"))]
		}),
		file("zip-between-entries", 2, "zip", func(s *scene) []byte {
			b := zipped(zip.Deflate, "", s.others(3))
			at := bytes.Index(b, []byte("PK\x01\x02"))
			return slices.Concat(b[:at], []byte(s.hex), b[at:])
		}),
		file("zip-zstd", 3, "zip", func(s *scene) []byte { return zipMethod(93, zst(s.story()), "notes.txt") }),
		file("zip-bzip2", 3, "zip", func(s *scene) []byte { return zipMethod(12, bzip2(s.story()), "notes.txt") }),
		file("ar", 1, "a", func(s *scene) []byte {
			body := s.story()
			return fmt.Appendf(nil, "!<arch>\n%-16s%-12d%-6d%-6d%-8s%-10d`\n%s\n", "notes.txt/", 0, 0, 0, "100644", len(body), body)
		}),
		file("deb", 2, "deb", func(s *scene) []byte {
			data := gz(tarred(s.storyEntry()))
			out := fmt.Appendf(nil, "!<arch>\n%-16s%-12d%-6d%-6d%-8s%-10d`\n2.0\n", "debian-binary", 0, 0, 0, "100644", 4)
			return append(fmt.Appendf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", "data.tar.gz", 0, 0, 0, "100644", len(data)), data...)
		}),
		file("cpio-newc", 1, "cpio", func(s *scene) []byte { return append(cpio("notes.txt", s.story()), cpio("TRAILER!!!", nil)...) }),
		file("cpio-gzip", 2, "img", func(s *scene) []byte { return gz(append(cpio("init", s.story()), cpio("TRAILER!!!", nil)...)) }),
		file("shell-archive", 2, "sh", func(s *scene) []byte {
			return []byte("#!/bin/sh\ncat > notes <<'EOF'\n" + string(s.story()) + "\nEOF\nuudecode <<'EOF'\n" + uuencode(gz([]byte(s.prose(3)))) + "EOF\n")
		}),
		file("self-extracting", 2, "sh", func(s *scene) []byte {
			return append([]byte("#!/bin/sh\ntail -n +4 \"$0\" | tar xz\nexit\n"), gz(tarred(s.storyEntry()))...)
		}),
		file("git-blob", 1, "obj", func(s *scene) []byte { b := s.story(); return zl(fmt.Appendf(nil, "blob %d\x00%s", len(b), b)) }),
		file("git-tree", 2, "obj", func(s *scene) []byte {
			b := fmt.Appendf(nil, "100644 notes\x00%s%s", s.raw, s.noise(4))
			return zl(fmt.Appendf(nil, "tree %d\x00%s", len(b), b))
		}),
		file("git-pack", 2, "pack", gitPack),
		file("warc", 1, "warc.gz", func(s *scene) []byte {
			body := s.story()
			return append(gz([]byte("WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")),
				gz(fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body))...)
		}),
		file("zip-encrypted", 3, "zip", func(s *scene) []byte {
			b := s.story()
			return zipMethod(99, altered(b, func(_ int, c byte) byte { return c ^ s.byte() }), "notes.txt")
		}).as(Keyed),
		zipFile("zip-name-half", 1, func(s *scene) []entry { return []entry{{name: s.hex[:18] + ".txt"}} }).as(Partial),
	}
}

func zipWith(s *scene, set func(*zip.FileHeader)) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	h := &zip.FileHeader{Name: "notes.txt", Method: zip.Deflate}
	set(h)
	must1(io.WriteString(must1(w.CreateHeader(h)), s.prose(4)))
	must(w.Close())
	return out.Bytes()
}

// zipMethod has bytes in it that were compressed elsewhere.
func zipMethod(method uint16, body []byte, name string) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f := must1(w.CreateRaw(&zip.FileHeader{Name: name, Method: method, CRC32: crc(body), CompressedSize64: uint64(len(body)), UncompressedSize64: uint64(len(body))}))
	must1(f.Write(body))
	must(w.Close())
	return out.Bytes()
}

func cpio(name string, body []byte) []byte {
	out := fmt.Appendf(nil, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		1, 0o100644, 0, 0, 1, 1772000000, len(body), 0, 0, 0, 0, len(name)+1, 0, name)
	for len(out)%4 != 0 {
		out = append(out, 0)
	}
	out = append(out, body...)
	for len(out)%4 != 0 {
		out = append(out, 0)
	}
	return out
}

func gitPack(s *scene) []byte {
	out := []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x02")
	for _, body := range [][]byte{[]byte(s.prose(6)), s.story()} {
		n := len(body)
		head := byte(3<<4 | n&15)
		for n >>= 4; n > 0; n >>= 7 {
			out, head = append(out, head|0x80), byte(n&0x7f)
		}
		out = append(append(out, head), zl(body)...)
	}
	return append(out, s.noise(20)...)
}
