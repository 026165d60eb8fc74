package observers

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Told is what the Engine makes of a container's own layer: a list of what
// changed, or an image.
//
// Both are made of that layer and of nothing else, and asking costs more than
// all other looks together. So the layer itself is read first; where it holds
// nothing but pilots, the Engine is not asked, since it has nothing to tell.
// Where it holds more, the Engine is asked, and must tell of the pilots too.
type Told struct {
	layer
	ask func(ctx context.Context, o *Told) (map[channel.ID]int, int64, error)
}

var _ Attached = (*Told)(nil)

// NewChanges prepares the observer of the Engine's list of what changed.
func NewChanges(engine *client.Client, watch *canary.Watch, pilots Pilots) *Told {
	return &Told{layer{engine: engine, watch: watch, pilots: pilots, book: newLedger(), sink: channel.SinkChanges}, askChanges}
}

// NewCommit prepares the observer of an image made of the container. The image
// has the container's labels, by which it is found if it stays behind.
func NewCommit(engine *client.Client, watch *canary.Watch, pilots Pilots) *Told {
	return &Told{layer{engine: engine, watch: watch, pilots: pilots, book: newLedger(), sink: channel.SinkCommit}, askCommit}
}

// Pilot implements Observer. The last pilot stays for Collect, which looks.
func (o *Told) Pilot(ctx context.Context, phase channel.ID) error {
	o.book.pilot(phase, 1)
	if err := o.plant(ctx, phase); err != nil || phase == channel.PilotAfter {
		return err
	}
	s, err := o.look()
	o.hear(s.seen, phase)
	return errors.Join(err, o.uproot())
}

// hear counts a pilot once, in however many places it stood.
func (o *Told) hear(seen map[channel.ID]int, phase channel.ID) {
	o.book.found(map[channel.ID]int{phase: min(1, seen[phase])})
}

// Collect implements Observer.
func (o *Told) Collect(ctx context.Context) (Report, error) {
	err := o.collect(ctx)
	if errors.Is(err, errTooLong) {
		o.book.lost(1)
		err = nil
	}
	return o.book.report(o.sink), errors.Join(err, o.uproot())
}

func (o *Told) collect(ctx context.Context) error {
	if err := o.find(ctx); err != nil {
		return err
	}
	s, err := o.look()
	if err != nil {
		return fmt.Errorf("reading the container's layer: %w", err)
	}
	o.book.count(0, s.bytes)
	seen := s.seen
	if s.foreign > 0 {
		var bytes int64
		if seen, bytes, err = o.ask(ctx, o); err != nil {
			return err
		}
		o.book.count(1, bytes)
		o.book.found(withoutPilots(maps.Clone(seen)))
	}
	o.hear(seen, channel.PilotAfter)
	return nil
}

// askChanges searches the names in the Engine's list.
func askChanges(ctx context.Context, o *Told) (map[channel.ID]int, int64, error) {
	changes, err := o.engine.ContainerDiff(ctx, o.id)
	if err != nil {
		return nil, 0, fmt.Errorf("asking what changed in the container: %w", err)
	}
	stream := o.watch.Stream()
	for _, c := range changes {
		stream.Write([]byte(c.Path + "\n"))
	}
	return stream.Sightings(), stream.Bytes(), nil
}

// askCommit makes an image, reads it to the end, and removes it.
func askCommit(ctx context.Context, o *Told) (seen map[channel.ID]int, bytes int64, err error) {
	made, err := o.engine.ContainerCommit(ctx, o.id, container.CommitOptions{})
	if err != nil {
		return nil, 0, fmt.Errorf("making an image of the container: %w", err)
	}
	defer func() {
		_, gone := o.engine.ImageRemove(context.WithoutCancel(ctx), made.ID, image.RemoveOptions{})
		err = errors.Join(err, gone)
	}()
	body, err := o.engine.ImageSave(ctx, []string{made.ID})
	if err != nil {
		return nil, 0, fmt.Errorf("reading an image of the container: %w", err)
	}
	defer body.Close()
	stream := o.watch.Stream()
	if _, err := searchTar(body, maxArchive, nil, stream); err != nil {
		return nil, 0, fmt.Errorf("reading an image of the container: %w", err)
	}
	return stream.Sightings(), stream.Bytes(), nil
}
