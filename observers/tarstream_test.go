package observers

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
)

func tarOf(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, h := range headers {
		body := h.Uname // carried here by the tests
		h.Uname, h.Size = "", int64(len(body))
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal("a header was not written")
		}
		if _, err := io.WriteString(w, body); err != nil {
			t.Fatal("a body was not written")
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal("the archive was not closed")
	}
	return buf.Bytes()
}

func TestTarIsSearchedEverywhere(t *testing.T) {
	tr := newTrial(t)
	text := tr.text(channel.FileRoot)
	for name, h := range map[string]tar.Header{
		"contents":           {Name: "a", Uname: strings.Repeat("x", 700) + text + "y"},
		"a name":             {Name: "dir/" + text + ".txt"},
		"a directory":        {Name: text + "/", Typeflag: tar.TypeDir},
		"a link's target":    {Name: "l", Typeflag: tar.TypeSymlink, Linkname: "../" + text},
		"a hard link":        {Name: "l", Typeflag: tar.TypeLink, Linkname: text},
		"an extended record": {Name: "a", Format: tar.FormatPAX, PAXRecords: map[string]string{"SCHILY.xattr.user.a": text}},
	} {
		s := tr.watch.Stream()
		n, err := searchTar(iotest.OneByteReader(bytes.NewReader(tarOf(t, tar.Header{Name: "first", Uname: "1"}, h))), maxArchive, nil, s)
		if err != nil || n != 2 {
			t.Errorf("%s: %d entries, error %v", name, n, err)
		}
		if diff := cmp.Diff(map[channel.ID]int{channel.FileRoot: 1}, s.Sightings()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestTarCutShortIsAnError(t *testing.T) {
	tr := newTrial(t)
	whole := tarOf(t, tar.Header{Name: "a", Uname: strings.Repeat("x", 600)}, tar.Header{Name: "b"}, tar.Header{Name: "c", Uname: "c"})
	for cut := 0; cut < len(whole); cut += 128 {
		if _, err := searchTar(bytes.NewReader(whole[:cut]), maxArchive, nil, tr.watch.Stream()); err == nil {
			t.Errorf("%d of %d bytes were taken for a whole archive", cut, len(whole))
		}
	}
	if n, err := searchTar(bytes.NewReader(whole), int64(len(whole)), nil, tr.watch.Stream()); err != nil || n != 3 {
		t.Errorf("the whole archive: %d entries, error %v", n, err)
	}
	if _, err := searchTar(bytes.NewReader(whole), int64(len(whole))-1, nil, tr.watch.Stream()); !errors.Is(err, errTooLong) {
		t.Errorf("past the limit: error %v", err)
	}
	if _, err := searchTar(io.MultiReader(bytes.NewReader(whole), iotest.ErrReader(errors.New("broken"))), maxArchive, nil); err == nil {
		t.Error("a stream that failed at its end was taken for whole")
	}
}

func FuzzSearchTar(f *testing.F) {
	tr := newTrial(&testing.T{})
	f.Add(tarOf(f, tar.Header{Name: "a", Uname: "x"}))
	f.Add([]byte(strings.Repeat("\x00", 1024)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := tr.watch.Stream()
		if _, err := searchTar(bytes.NewReader(b), maxArchive, nil, s); err == nil && s.Bytes() != int64(len(b)) {
			t.Error("an archive was accepted that was not searched to its end")
		}
	})
}
