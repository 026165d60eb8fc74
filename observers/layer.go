package observers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/docker/docker/client"
	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// layerPilot begins the names of the files that are pilots, one for each sink
// and phase. They are put into the layer only while the container does not run.
const layerPilot = "postern-pilot-"

const maxLayer = 1 << 30 // bytes read in one look; what goes beyond is a drop

// layer is a container's own layer: the directory of the host where the storage
// driver puts what was changed in its root filesystem.
type layer struct {
	engine *client.Client
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	sink   channel.Sink
	id     string
	dir    string
	put    []string // the pilots that are still there
}

func (l *layer) Attach(id string) { l.id = id }

func (l *layer) Sink() channel.Sink { return l.sink }

// find asks the Engine for the layer's place.
func (l *layer) find(ctx context.Context) error {
	if l.id == "" {
		return errUnattached
	}
	info, err := l.engine.ContainerInspect(ctx, l.id)
	if err != nil {
		return fmt.Errorf("asking for the container's layer: %w", err)
	}
	if info.ContainerJSONBase == nil || !filepath.IsAbs(info.GraphDriver.Data["UpperDir"]) {
		return errors.New("asking for the container's layer: the storage driver keeps it in no directory")
	}
	l.dir = info.GraphDriver.Data["UpperDir"]
	return nil
}

// plant puts the pilot of a phase into the layer: as a name, as contents, and
// as an extended attribute.
func (l *layer) plant(ctx context.Context, phase channel.ID) error {
	text, err := l.pilots.text(phase)
	if err != nil {
		return err
	}
	if err := l.find(ctx); err != nil {
		return err
	}
	path := filepath.Join(l.dir, layerPilot+string(l.sink)+"-"+text)
	l.put = append(l.put, path)
	if err := os.WriteFile(path, []byte(text), 0o400); err != nil {
		return fmt.Errorf("putting a pilot into the container's layer: %w", withoutPath(err))
	}
	if err := unix.Setxattr(path, "user.pilot", []byte(text), 0); err != nil {
		return fmt.Errorf("putting a pilot into the container's layer as an attribute: %w", err)
	}
	return nil
}

// uproot takes the pilots out again.
func (l *layer) uproot() error {
	var errs []error
	for _, path := range l.put {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("taking a pilot out of the container's layer: %w", withoutPath(err)))
		}
	}
	l.put = nil
	return errors.Join(errs...)
}

// Close implements Observer.
func (l *layer) Close() error { return l.uproot() }

// sheet is what one look at a layer saw.
type sheet struct {
	directory
	foreign int // what is there and no pilot
}

// look reads the whole layer: numbers before contents, since reading changes
// the time of access.
func (l *layer) look() (sheet, error) {
	s := sheet{directory: directory{watch: l.watch, left: maxLayer, seen: map[channel.ID]int{}}}
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return s, withoutPath(err)
	}
	defer root.Close()
	numbers := newFigures()
	first := map[uint64]bool{} // inodes
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case l.another(name):
			return nil // which may be gone by now
		case err != nil:
			return withoutPath(err)
		case name != "." && !strings.HasPrefix(name, layerPilot):
			s.foreign++
		}
		if e.Type().IsRegular() || e.IsDir() {
			if err := note(numbers, first, name, filepath.Join(l.dir, name)); err != nil {
				return err
			}
			if err := s.readAttributes(filepath.Join(l.dir, name)); err != nil {
				return err
			}
		}
		return s.visit(root, name, e)
	})
	s.add(numbers.scan(l.watch))
	return s, err
}

// another tells the pilots of the observers beside this one.
func (l *layer) another(name string) bool {
	return strings.HasPrefix(name, layerPilot) && !strings.HasPrefix(name, layerPilot+string(l.sink)+"-")
}

// note takes the numbers about one file, under the first of its names.
func note(numbers *figures, first map[uint64]bool, name, path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return fmt.Errorf("looking at a file of the layer: %w", err)
	}
	if uint32(st.Mode)&unix.S_IFMT != unix.S_IFREG || first[uint64(st.Ino)] {
		return nil
	}
	first[uint64(st.Ino)] = true
	return numbers.add(name, figure{
		size: uint64(st.Size), mode: uint64(st.Mode), links: uint64(st.Nlink) - 1,
		modified: uint64(st.Mtim.Sec), accessed: uint64(st.Atim.Sec),
	})
}

// readAttributes searches the names and values of a file's extended
// attributes. It follows no link at the end of path; the container does not
// run, so none can appear before it.
func (s *sheet) readAttributes(path string) error {
	const size = 64 << 10 // the kernel's limit on both
	names := make([]byte, size)
	n, err := unix.Llistxattr(path, names)
	if err != nil {
		return fmt.Errorf("listing the attributes of a file: %w", err)
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00") {
		if name == "" {
			continue
		}
		value := make([]byte, size)
		n, err := unix.Lgetxattr(path, name, value)
		if err != nil {
			return fmt.Errorf("reading an attribute of a file: %w", err)
		}
		for _, b := range [][]byte{[]byte(name), value[:n]} {
			s.scan(b)
		}
	}
	return nil
}

// Layer reads the container's own layer where it lies on the host, with the
// extended attributes and the times that no archive shows.
//
// Its pilots are files in that layer: the first is put there before the
// container starts and taken away at once, the second after it has stopped.
type Layer struct{ layer }

var _ Attached = (*Layer)(nil)

// NewLayer prepares the observer; Attach names its container.
func NewLayer(engine *client.Client, watch *canary.Watch, pilots Pilots) *Layer {
	return &Layer{layer{engine: engine, watch: watch, pilots: pilots, book: newLedger(), sink: channel.SinkLayer}}
}

// placesOfPilot are a name, contents and an attribute.
const placesOfPilot = 3

// Pilot implements Observer. The last pilot stays for Collect, which looks.
func (o *Layer) Pilot(ctx context.Context, phase channel.ID) error {
	o.book.pilot(phase, placesOfPilot)
	if err := o.plant(ctx, phase); err != nil || phase == channel.PilotAfter {
		return err
	}
	s, err := o.look()
	o.book.found(onlyPilots(s.seen))
	return errors.Join(err, o.uproot())
}

// onlyPilots are the sightings that are no channel's: what else is there is
// looked for at the end.
func onlyPilots(seen map[channel.ID]int) map[channel.ID]int {
	return map[channel.ID]int{channel.PilotBefore: seen[channel.PilotBefore], channel.PilotAfter: seen[channel.PilotAfter]}
}

// Collect implements Observer.
func (o *Layer) Collect(ctx context.Context) (Report, error) {
	err := o.find(ctx)
	if err == nil {
		var s sheet
		s, err = o.look()
		o.book.found(s.seen)
		o.book.count(s.foreign, s.bytes)
	}
	if errors.Is(err, errTooLong) {
		o.book.lost(1)
		err = nil
	}
	return o.book.report(o.sink), errors.Join(err, o.uproot())
}
