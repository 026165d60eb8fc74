package observers

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
)

// The agent's spelling must be what the observer reads, from the files
// themselves and from an archive of them.
func TestNumbersThatSpell(t *testing.T) {
	tr := newTrial(t)
	dir := t.TempDir()
	want := map[channel.ID]int{}
	addresses := map[channel.ID]string{}
	for _, id := range []channel.ID{channel.FileSize, channel.FileMode, channel.FileModified, channel.FileAccessed, channel.FileLinks} {
		want[id], addresses[id] = 1, filepath.Join(dir, string(id))
	}
	runAgent(t, tr.plan(plan.ModeNormal, addresses))
	l := layer{watch: tr.watch, dir: dir, sink: channel.SinkLayer}
	s, err := l.look()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s.seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestNumbersInAnArchive(t *testing.T) {
	tr := newTrial(t)
	raw := rawOf(t, tr.text(channel.FileSize))
	for name, header := range map[string]func(i int, b byte) tar.Header{
		"sizes": func(i int, b byte) tar.Header {
			return tar.Header{Name: fmt.Sprintf("d/%02d", i), Uname: string(make([]byte, b))}
		},
		"permissions": func(i int, b byte) tar.Header { return tar.Header{Name: fmt.Sprintf("d/%02d", i), Mode: int64(b)} },
	} {
		var headers []tar.Header
		headers = append(headers, tar.Header{Name: "d/!", Uname: "another file"})
		for i, b := range raw {
			headers = append(headers, header(i, b))
		}
		f := newFigures()
		if _, err := searchTar(bytes.NewReader(tarOf(t, headers...)), maxArchive, f.tar); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[channel.ID]int{channel.FileSize: 1}, f.scan(tr.watch)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestTimesInAnArchive(t *testing.T) {
	tr := newTrial(t)
	var headers []tar.Header
	raw := rawOf(t, tr.text(channel.FileModified))
	for i := 0; i < len(raw); i += 4 {
		sec := int64(binary.BigEndian.Uint32(raw[i:]))
		headers = append(headers, tar.Header{Name: fmt.Sprintf("t/%02d", i), ModTime: time.Unix(sec, 0), Format: tar.FormatPAX})
	}
	f := newFigures()
	if _, err := searchTar(bytes.NewReader(tarOf(t, headers...)), maxArchive, f.tar); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[channel.ID]int{channel.FileModified: 1}, f.scan(tr.watch)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTooManyFilesAreNoSilence(t *testing.T) {
	f := newFigures()
	f.count = maxFigures
	if err := f.add("one-more", figure{}); err != errTooLong {
		t.Errorf("error %v", err)
	}
}

func FuzzFigures(f *testing.F) {
	f.Add([]byte("a/b"), int64(3), byte('0'), "a")
	f.Fuzz(func(t *testing.T, name []byte, size int64, kind byte, link string) {
		fig := newFigures()
		for range 20 {
			fig.tar(&tar.Header{Name: string(name), Size: size, Typeflag: kind, Linkname: link})
		}
		fig.scan(newTrial(t).watch)
	})
}
