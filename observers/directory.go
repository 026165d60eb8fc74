package observers

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const directoryTries = 5 // the Engine replaces its files while we look

// directory is what one look at a tree of files saw.
type directory struct {
	watch *canary.Watch
	left  int64 // bytes that may still be read
	deep  *deep // keeps the files

	seen  map[channel.ID]int
	files int
	bytes int64
}

// searchDirectory searches the names, link targets and contents of all files
// below path. It follows no link. A file that vanished meanwhile starts the
// look again. deep keeps the contents as well, and may be nil.
func searchDirectory(path string, watch *canary.Watch, limit int64, deep *deep) (directory, error) {
	var err error
	for range directoryTries {
		deep.forget()
		d := directory{watch: watch, left: limit, deep: deep, seen: map[channel.ID]int{}}
		if err = d.walk(path); !errors.Is(err, fs.ErrNotExist) {
			return d, err
		}
		if _, gone := os.Lstat(path); gone != nil {
			break
		}
	}
	return directory{}, err
}

func (d *directory) walk(path string) error {
	root, err := os.OpenRoot(path) // nothing below leads out of it
	if err != nil {
		return err
	}
	defer root.Close()
	return d.below(root)
}

// below searches what is in a directory that is open already.
func (d *directory) below(root *os.Root) error {
	return fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return withoutPath(err)
		}
		return d.visit(root, name, e)
	})
}

// visit searches one name, and what is behind it.
func (d *directory) visit(root *os.Root, name string, e fs.DirEntry) error {
	d.scan([]byte(name))
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		to, err := root.Readlink(name)
		d.scan([]byte(to))
		return withoutPath(err)
	case e.Type().IsRegular():
		return withoutPath(d.file(root, name))
	}
	return nil
}

// withoutPath drops the path from an error: whoever made the file chose it.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("%s: %w", path.Op, path.Err)
	}
	return err
}

func (d *directory) scan(b []byte) { d.add(tally(d.watch.Scan(b))) }

func (d *directory) add(seen map[channel.ID]int) {
	for id, n := range seen {
		d.seen[id] += n
	}
}

func (d *directory) file(root *os.Root, name string) error {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe put in its place must not hold us
	if err != nil {
		return err
	}
	defer f.Close()
	d.files++
	seen, err := d.search(io.TeeReader(f, d.deep.writer()))
	if err != nil {
		d.add(seen)
		return err
	}
	unpacked, err := d.unpacked(f)
	d.add(most(seen, unpacked)) // what is little packed is seen either way
	return err
}

// unpacked searches what is below gzip: log drivers compress what they rotate.
func (d *directory) unpacked(f io.ReadSeeker) (map[channel.ID]int, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	packed := bufio.NewReader(f)
	if head, _ := packed.Peek(2); string(head) != "\x1f\x8b" {
		return nil, nil
	}
	plain, err := gzip.NewReader(packed)
	if err != nil {
		return nil, errors.New("unpacking a file: its header is broken")
	}
	return d.search(plain)
}

func (d *directory) search(r io.Reader) (map[channel.ID]int, error) {
	s := d.watch.Stream()
	_, err := io.Copy(s, &limited{r, d.left})
	d.left -= s.Bytes()
	d.bytes += s.Bytes()
	return s.Sightings(), err
}
