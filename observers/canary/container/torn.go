package container

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"postern/observers/canary/layer"
)

// Torn names the compression or the archive that an input is, where its end is
// missing or a checksum of it is wrong, and nothing otherwise. The stages read
// on in spite of both, and so cannot tell. What follows a whole one is not
// looked at: it is searched as it stands. Nothing is said of what needs more
// than so many bytes or the context's time, of what no library of ours reads,
// nor, where the input goes on beyond b, of archives, which end elsewhere.
func Torn(ctx context.Context, b []byte, ended bool, most int) layer.Technique {
	for _, e := range endings() {
		if (ended || !e.archive) && e.begins(b) {
			out := &drainpipe{ctx: ctx, left: most}
			if err := e.read(b, out); err != nil && !out.full && !errors.Is(err, errUntold) {
				return e.technique
			}
			return ""
		}
	}
	return ""
}

// ending is a format with a head of its own and an end that shows.
type ending struct {
	technique layer.Technique
	archive   bool
	begins    func(b []byte) bool
	read      func(b []byte, out io.Writer) error // strictly, to its end
}

func endings() []ending {
	return []ending{
		{Gzip, false, func(b []byte) bool { return len(b) > 3 && string(b[:3]) == "\x1f\x8b\x08" && b[3] < 32 }, endGzip},
		{Bzip2, false, beginsBzip2, endBzip2},
		{Xz, false, func(b []byte) bool { return bytes.HasPrefix(b, []byte(xzMagic)) && len(b) >= xzHead }, endXz},
		{Zstd, false, func(b []byte) bool { return bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")) && len(b) >= 8 }, endZstd},
		{Zip, true, func(b []byte) bool { e, ok := readZipLocal(b, 0); return ok && e.method < 100 }, endZip},
		{Tar, true, beginsTar, endTar},
	}
}

// errUntold means that a format holds something that is not read here, which
// is no damage.
var errUntold = errors.New("not to be told")

// drainpipe counts what comes out, and gives up where that is too much.
type drainpipe struct {
	ctx  context.Context
	left int
	full bool
}

func (d *drainpipe) Write(b []byte) (int, error) {
	if d.left -= len(b); d.left < 0 || d.ctx.Err() != nil {
		d.full = true
		return 0, errUntold
	}
	return len(b), nil
}

// endGzip reads member after member (RFC 1952).
func endGzip(b []byte, out io.Writer) error {
	src, r := bytes.NewReader(b), new(gzip.Reader)
	for rest := b; bytes.HasPrefix(rest, []byte("\x1f\x8b\x08")); rest = b[len(b)-src.Len():] {
		if err := r.Reset(src); errors.Is(err, gzip.ErrHeader) {
			return errUntold
		} else if err != nil {
			return err
		}
		r.Multistream(false)
		if _, err := io.Copy(out, r); err != nil {
			return err
		}
	}
	return nil
}

func beginsBzip2(b []byte) bool {
	if len(b) < 10 || string(b[:3]) != "BZh" || b[3] < '1' || b[3] > '9' {
		return false
	}
	head := string(b[4:10])
	return head == "\x31\x41\x59\x26\x53\x59" || head == "\x17\x72\x45\x38\x50\x90"
}

// endBzip2 puts two bytes behind the input: then a whole one ends in what is no
// further member, whatever follows it.
func endBzip2(b []byte, out io.Writer) error {
	_, err := io.Copy(out, bzip2.NewReader(io.MultiReader(bytes.NewReader(b), strings.NewReader("\x00\x00"))))
	if errors.Is(err, bzip2.StructuralError("bad magic value in continuation file")) {
		return nil
	}
	return err
}

const (
	xzHead    = 12 // bytes
	xzDictMax = 28 // 64 MiB, the most that levels of xz ask for
)

// endXz reads stream after stream, with the padding between. Filters for machine
// code and large dictionaries are not read here: of these the end alone counts.
// A byte behind the input shows whether the library came to a stream's end: that
// it takes for data, and an end amid a stream for none.
func endXz(b []byte, out io.Writer) error {
	for bytes.HasPrefix(b, []byte(xzMagic)) {
		if xzDictionary(b) > xzDictMax {
			return xzEnd(b)
		}
		src := bytes.NewReader(b)
		r, err := xz.ReaderConfig{SingleStream: true}.NewReader(io.MultiReader(src, strings.NewReader("\x01")))
		if err == nil {
			_, err = io.Copy(out, r)
		}
		switch {
		case err == nil:
			return io.ErrUnexpectedEOF
		case err.Error() == "xz: invalid filter id", err.Error() == "xz: unsupported filter count":
			return xzEnd(b)
		case err.Error() != "xz: unexpected data after stream":
			return err
		}
		b = bytes.TrimLeft(b[len(b)-src.Len()-1:], "\x00")
	}
	return nil
}

// xzDictionary is the size that the first block asks for, as the format has it,
// where nothing but LZMA2 is asked for.
func xzDictionary(b []byte) byte {
	if len(b) <= xzHead {
		return 0
	}
	head := b[xzHead:min(len(b), xzHead+4*(int(b[xzHead])+1))]
	at := bytes.Index(head, []byte("\x21\x01"))
	if at < 0 || at+2 >= len(head) {
		return 0
	}
	return head[at+2]
}

// xzEnd looks for a footer, whatever follows it (version 1.0.4, 2.1.2).
func xzEnd(b []byte) error {
	for at := bytes.LastIndex(b, []byte("YZ")); at >= xzHead; at = bytes.LastIndex(b[:at], []byte("YZ")) {
		if crc32.ChecksumIEEE(b[at-6:at]) == binary.LittleEndian.Uint32(b[at-10:]) {
			return nil
		}
	}
	return io.ErrUnexpectedEOF
}

func endZstd(b []byte, out io.Writer) error {
	d, err := zstd.NewReader(bytes.NewReader(b[:zstdFrames(b, 0)]), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return errUntold
	}
	defer d.Close()
	_, err = io.Copy(out, d)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrUnknownDictionary) {
		return errUntold
	}
	return err
}

// endZip asks for the directory, which stands last, and reads every file that
// it names. One that does not name the first file is that of an archive inside.
func endZip(b []byte, out io.Writer) error {
	end := bytes.LastIndex(b, []byte("PK\x05\x06"))
	if end < 0 || end+22 > len(b) {
		return io.ErrUnexpectedEOF
	}
	end = min(len(b), end+22+int(binary.LittleEndian.Uint16(b[end+20:])))
	r, err := zip.NewReader(bytes.NewReader(b[:end]), int64(end))
	if r == nil {
		return err
	}
	head, _ := readZipLocal(b, 0)
	first := false
	for _, f := range r.File {
		at, err := f.DataOffset()
		if err != nil {
			return err
		}
		first = first || at == int64(head.data)
		if f.Flags&1 != 0 {
			continue // encrypted: told by the stage
		}
		if err := endZipFile(f, out); err != nil {
			return err
		}
	}
	if !first {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func endZipFile(f *zip.File, out io.Writer) error {
	in, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(out, in)
	return err
}

const tarBlock = 512

// beginsTar asks for the magic and the checksum of a header.
func beginsTar(b []byte) bool {
	if len(b) < tarBlock || string(b[257:262]) != "ustar" || !plausibleTar(b) {
		return false
	}
	sum := 8 * int(' ')
	for i, c := range b[:tarBlock] {
		if i < 148 || i >= 156 {
			sum += int(c)
		}
	}
	return tarNumber(b[148:156]) == uint64(sum)
}

// endTar asks for a block of zeros behind the last file. It has no checksum but
// those of the headers.
func endTar(b []byte, out io.Writer) error {
	src := bytes.NewReader(b)
	r := tar.NewReader(src)
	for {
		read := (len(b) - src.Len() + tarBlock - 1) &^ (tarBlock - 1)
		_, err := r.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, tar.ErrHeader):
			if read+tarBlock <= len(b) && allZero(b[read:read+tarBlock]) {
				return nil
			}
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		if _, err := io.Copy(out, r); err != nil {
			return err
		}
	}
}

func allZero(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }
