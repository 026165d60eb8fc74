package observers

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/observers/canary"
)

// File reads the container's filesystem through the Engine: the root, and
// every mount that the container may write. It finds canaries in contents,
// names and link targets, and those that numbers about files spell. The
// container may be created, running or exited. Memory filesystems are not in it.
//
// The pilots are two files of the agent image, first and last in the order of
// the stream. They prove what was read, but are the same in every trial; that
// it listens for this trial's canaries is proved by the container's PilotLabel.
// A pilot counts as heard when both were. Where a canary may come in a dress,
// names and link targets are searched deeply as well, and the pilots of the image
// that are names must be found. Contents in a dress are not looked for.
type File struct {
	engine *client.Client
	watch  *canary.Watch
	marks  *canary.Watch // the pilots of the image
	book   *ledger
	id     string
	deep   *deep
}

var _ Observer = (*File)(nil)

// NewFile prepares the observer; Attach names its container.
func NewFile(engine *client.Client, watch *canary.Watch, pilots Pilots) (*File, error) {
	first, err := canary.Parse(fixtures.PilotFirstText)
	if err != nil {
		return nil, fmt.Errorf("starting the file observer: %w", err)
	}
	last, err := canary.Parse(fixtures.PilotLastText)
	if err != nil {
		return nil, fmt.Errorf("starting the file observer: %w", err)
	}
	marks, err := canary.NewWatch([]canary.Entry{{ID: channel.PilotBefore, Canary: first}, {ID: channel.PilotAfter, Canary: last}})
	if err != nil {
		return nil, fmt.Errorf("starting the file observer: %w", err)
	}
	o := &File{engine: engine, watch: watch, marks: marks, book: newLedger()}
	if o.deep, err = newDeep(channel.SinkFile, watch, pilots); err != nil || o.deep == nil {
		return o, err
	}
	spread, err := marks.Deep(channel.PilotBefore, channel.PilotAfter)
	if err != nil {
		return nil, fmt.Errorf("starting the file observer: %w", err)
	}
	o.deep.searches = append(o.deep.searches, spread)
	return o, nil
}

// Attach names the container. Call it before the first Pilot.
func (o *File) Attach(id string) { o.id = id }

// Sink implements Observer.
func (o *File) Sink() channel.Sink { return channel.SinkFile }

// Pilot implements Observer. Nothing is read yet: both pilots are files of the
// very stream that Collect reads, the first and the last, so they are sent
// through its path before and after all that it may find. An archive for
// either alone would cost the Engine as much as the whole.
func (o *File) Pilot(_ context.Context, phase channel.ID) error {
	if phase != channel.PilotBefore && phase != channel.PilotAfter {
		return fmt.Errorf("%q is no phase of a trial", phase)
	}
	if o.id == "" {
		return errUnattached
	}
	o.book.pilot(phase, 1)
	if o.deep != nil {
		o.book.pilot(phase, 1)
	}
	return nil
}

// hear counts the pilots of the image, if the watch knows this trial's own.
func (o *File) hear(info container.InspectResponse, marks map[channel.ID]int) {
	if knowsPilot(tally(o.watch.Scan([]byte(info.Config.Labels[PilotLabel])))) {
		o.book.found(marks)
	}
}

// Collect implements Observer. Both pilots must stand in the stream of the
// root.
func (o *File) Collect(ctx context.Context) (Report, error) {
	err := o.collect(ctx)
	if errors.Is(err, errTooLong) {
		o.book.lost(1)
		err = nil
	}
	o.deep.hear(ctx, o.book)
	return o.book.report(channel.SinkFile), err
}

func (o *File) collect(ctx context.Context) error {
	if o.id == "" {
		return errUnattached
	}
	info, err := o.engine.ContainerInspect(ctx, o.id)
	if err != nil {
		return fmt.Errorf("listing the container's mounts: %w", err)
	}
	root, err := o.read(ctx, "/")
	o.book.found(root.seen)
	o.hear(info, root.marks)
	o.book.count(root.entries, root.bytes)
	if err != nil {
		return fmt.Errorf("reading the container's root: %w", err)
	}
	return o.mounts(ctx, info.Mounts, root.seen)
}

// mounts reads the writable ones by themselves: the stream of the root may or
// may not descend into them.
func (o *File) mounts(ctx context.Context, all []container.MountPoint, inRoot map[channel.ID]int) error {
	for _, m := range all {
		if !m.RW || isSocket(m.Source) {
			continue // a socket keeps nothing
		}
		mount, err := o.read(ctx, m.Destination)
		o.book.found(beyond(mount.seen, inRoot))
		o.book.count(mount.entries, mount.bytes)
		if err != nil {
			return fmt.Errorf("reading a mount of the container: %w", err)
		}
	}
	return nil
}

func isSocket(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Type() == fs.ModeSocket
}

var errUnattached = errors.New("no container is attached")

// reading is what one archive held.
type reading struct {
	seen, marks map[channel.ID]int
	entries     int
	bytes       int64
}

func (o *File) read(ctx context.Context, path string) (reading, error) {
	body, _, err := o.engine.CopyFromContainer(ctx, o.id, path)
	if err != nil {
		return reading{}, err
	}
	defer body.Close()
	search, marks := o.watch.Stream(), o.marks.Stream()
	numbers := newFigures()
	entries, err := searchTar(body, maxArchive, func(h *tar.Header) error {
		o.deep.keep(path, named(h))
		return numbers.tar(h)
	}, search, marks)
	seen := search.Sightings()
	for id, n := range numbers.scan(o.watch) {
		seen[id] += n
	}
	return reading{withoutPilots(seen), marks.Sightings(), entries, search.Bytes()}, err
}

// named is what an entry is called, and where it leads to if it is a link.
func named(h *tar.Header) []byte {
	if h.Linkname == "" {
		return []byte(h.Name + "\n")
	}
	return []byte(h.Name + " -> " + h.Linkname + "\n")
}

// withoutPilots leaves out the trial's own pilots, which are no proof of
// hearing where they were not sent.
func withoutPilots(seen map[channel.ID]int) map[channel.ID]int {
	delete(seen, channel.PilotBefore)
	delete(seen, channel.PilotAfter)
	return seen
}

// Close implements Observer.
func (o *File) Close() error { return nil }
