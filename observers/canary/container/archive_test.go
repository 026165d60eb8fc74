package container

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"testing"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/ulikunitz/xz/lzma"
)

func zipped(t *testing.T, names []string, contents [][]byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i, name := range names {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write(contents[i])
	}
	w.Close()
	return buf.Bytes()
}

func TestAZipIsReadWithoutAndWithItsDirectory(t *testing.T) {
	b := zipped(t, []string{"a", "b"}, [][]byte{words(200), words(100)})
	for name, z := range map[string][]byte{
		"whole":     b,
		"amid":      around(b),
		"truncated": b[:len(b)-200],
		"bzip2":     fixture(t, "bzip2.zip"),
		"lzma":      fixture(t, "lzma.zip"),
	} {
		if !shows(z, Zip, needle) {
			t.Errorf("%s: not shown", name)
		}
	}
}

func TestALyingSizeInAZipIsNotBelieved(t *testing.T) {
	b := zipped(t, []string{"a"}, [][]byte{words(200)})
	for _, at := range []int{18, 22} {
		z := bytes.Clone(b)
		z[6] &^= 8
		binary.LittleEndian.PutUint32(z[at:], 0x7fffffff)
		wantShown(t, z, Zip, needle)
	}
}

func TestPartsInTheFilesOfAnArchiveAreJoinedInOrder(t *testing.T) {
	var names []string
	var parts [][]byte
	for _, n := range []int{3, 0, 10, 1, 2, 4, 5, 6, 7, 8, 9} {
		names = append(names, fmt.Sprintf("part%d", n))
		parts = append(parts, []byte(needle[4*n:4*n+4]+"\n"))
	}
	wantShown(t, zipped(t, names, parts), Zip, needle[:44])
}

func tarred(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, h := range headers {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		w.Write(make([]byte, h.Size))
	}
	w.Close()
	return buf.Bytes()
}

func TestWhatIsSpreadOverTarHeadersIsJoined(t *testing.T) {
	var byName, byMode, byTime, byPax []tar.Header
	for i := range 11 {
		part := needle[4*i : 4*i+4]
		byName = append(byName, tar.Header{Name: part, Size: 7})
		byMode = append(byMode, tar.Header{Name: "x", Uid: int(binary.BigEndian.Uint16([]byte(part))), Gid: 4})
		byTime = append(byTime, tar.Header{Name: "x", ModTime: time.Unix(int64(binary.BigEndian.Uint32([]byte(part))), 0)})
		byPax = append(byPax, tar.Header{Name: "x", Size: 3, PAXRecords: map[string]string{"POSTERN.x": part}, Format: tar.FormatPAX})
	}
	wantShown(t, tarred(t, byName...), Tar, needle)
	wantShown(t, tarred(t, byTime...), Tar, needle)
	wantShown(t, tarred(t, byPax...), Tar, needle)
	wantShown(t, around(tarred(t, byName...)), Tar, needle)
	if !shows(tarred(t, byMode...), Tar, "ne"+needle[4:6]) {
		t.Error("user ids: not shown")
	}
}

func TestCpioAndArContentsAreJoined(t *testing.T) {
	var cpio, ar bytes.Buffer
	ar.WriteString("!<arch>\n")
	for i := range 11 {
		part := needle[4*i : 4*i+4]
		fmt.Fprintf(&cpio, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08Xab\x00\x00%s", i, 0, 0, 0, 1, 0, 4, 0, 0, 0, 0, 3, 0, part)
		cpio.Truncate(cpio.Len())
		fmt.Fprintf(&ar, "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", "m/", 0, 0, 0, 0o644, 4, part)
	}
	// 110 bytes and a name of 3 are 113: the fourth byte of the name's pad is one short
	b := bytes.ReplaceAll(cpio.Bytes(), []byte("ab\x00\x00"), []byte("ab\x00\x00\x00\x00"))
	wantShown(t, b, Cpio, needle)
	wantShown(t, ar.Bytes(), Ar, needle)
}

// sevenZip is an archive of one LZMA folder, with a plain header.
func sevenZip(t *testing.T, text []byte) []byte {
	packed := written(t, text, func(w io.Writer) (*lzma.Writer, error) { return lzma.NewWriter(w) })
	props, packed := packed[:5], packed[13:]
	num := func(n int) []byte { return append([]byte{0xc0 | byte(n>>16)}, byte(n), byte(n>>8)) }
	h := []byte{1, 4, 6, 0, 1, 9}
	h = append(append(h, num(len(packed))...), 0)
	h = append(append(h, 7, 11, 1, 0, 1, 0x23, 3, 1, 1, 5), props...)
	h = append(append(append(h, 12), num(len(text))...), 0, 0)
	h = append(h, 5, 1, 17, 5, 0, 'n', 0, 0, 0, 0, 0)
	b := append([]byte("7z\xbc\xaf\x27\x1c\x00\x04"), make([]byte, 24)...)
	binary.LittleEndian.PutUint64(b[12:], uint64(len(packed)))
	binary.LittleEndian.PutUint64(b[20:], uint64(len(h)))
	binary.LittleEndian.PutUint32(b[28:], crc32.ChecksumIEEE(h))
	return append(append(b, packed...), h...)
}

func TestASevenZipIsReadWithAndWithoutItsHeader(t *testing.T) {
	b := sevenZip(t, append(words(200), words(3000)...))
	wantShown(t, b, SevenZip, needle)
	wantShown(t, around(b), SevenZip, needle)
	wantShown(t, b[:len(b)*2/3], SevenZip, needle)
}

func TestAnEncryptedZipIsUnproven(t *testing.T) {
	b := zipped(t, []string{"a"}, [][]byte{words(200)})
	b[6] |= 1
	if _, spent := views(b, 1<<20); !spent {
		t.Error("not spent")
	}
}

func TestTheBlocksOfACabGoOnFromOneAnother(t *testing.T) {
	text := words(200)
	b := make([]byte, 44)
	copy(b, "MSCF")
	b[24], b[25], b[26], b[36], b[40], b[42] = 3, 1, 1, 44, 2, 1
	for i, dict := range [][]byte{nil, text[:600]} {
		part := [][]byte{text[:600], text[600:]}[i]
		z := written(t, part, func(w io.Writer) (*flate.Writer, error) { return flate.NewWriterDict(w, 9, dict) })
		b = binary.LittleEndian.AppendUint16(append(b, 0, 0, 0, 0), uint16(len(z)+2))
		b = append(binary.LittleEndian.AppendUint16(b, uint16(len(part))), "CK"...)
		b = append(b, z...)
	}
	wantShown(t, around(b), Cab, string(text))
}

func TestTheSectorsOfACompoundFileAreJoined(t *testing.T) {
	le := binary.LittleEndian
	text := bytes.Repeat([]byte(needle+" "), 120) // more than 4096 bytes, in eleven sectors
	b := make([]byte, 512*14)
	copy(b, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	b[30], b[32] = 9, 6
	le.PutUint32(b[48:], 1)
	le.PutUint32(b[60:], 0xfffffffe)
	copy(b[76:], bytes.Repeat([]byte{0xff}, 436))
	le.PutUint32(b[76:], 0)
	fat, dir := b[512:1024], b[1024:1536]
	le.PutUint32(fat[4:], 0xfffffffe)
	for k, n := 0, 12; n > 1; k, n = k+1, n-1 { // backwards: no sector follows the one before it
		copy(b[512*(n+1):][:512], text[min(512*k, len(text)):])
		le.PutUint32(fat[4*n:], uint32(n-1))
	}
	le.PutUint32(fat[8:], 0xfffffffe)
	copy(dir, "A\x00")
	dir[64], dir[66] = 4, 2
	le.PutUint32(dir[116:], 12)
	le.PutUint32(dir[120:], uint32(len(text)))
	wantShown(t, b, Ole, string(text[:5000]))
}

func TestThePartsInTheFilesOfAnISOAreJoined(t *testing.T) {
	b := make([]byte, 2048*40)
	record := func(name string, sector, size int, flags byte) []byte {
		r := make([]byte, 34+len(name))
		r[0], r[25], r[32] = byte(len(r)), flags, byte(len(name))
		binary.LittleEndian.PutUint32(r[2:], uint32(sector))
		binary.LittleEndian.PutUint32(r[10:], uint32(size))
		copy(r[33:], name)
		return r
	}
	copy(b[2048*16:], "\x01CD001")
	copy(b[2048*16+156:], record("\x00", 18, 2048, 2))
	at := 2048 * 18
	for i, p := range parts() {
		at += copy(b[at:], record(fmt.Sprint("F", i, ";1"), 20+i, 4, 0))
		copy(b[2048*(20+i):], p)
	}
	wantShown(t, b, ISO, needle)
}

// The contents of large files are searched by themselves: joined again in every
// order of some field they would be many times the archive.
func TestContentsAreNotJoinedInEveryOrder(t *testing.T) {
	var headers []tar.Header
	for i := range 40 {
		headers = append(headers, tar.Header{Name: fmt.Sprint("f", i*7%40), Size: 4000, Uid: i * 11 % 40, ModTime: time.Unix(int64(1e9+i*13%40), 0)})
	}
	b := tarred(t, headers...)
	shown := 0
	all, _ := views(b, 64<<20)
	for _, v := range all {
		shown += len(v.Bytes)
	}
	if shown > 3*len(b) {
		t.Errorf("%d bytes are shown of %d", shown, len(b))
	}
}
