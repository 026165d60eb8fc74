package observers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Disk measures what a container took of the host's disk: the layer in which
// the Engine keeps what it changed of its root. Volumes are not in it.
//
// Nothing can be sent there without changing what is measured. A pilot is the
// container's PilotLabel for the watch, and for the measure that the layer can
// be read to its end.
type Disk struct {
	api   *client.Client
	watch *canary.Watch
	limit int64
	book  *ledger
	id    string
}

var _ Attached = (*Disk)(nil)

// NewDisk prepares the observer; Attach names its container. More than limit
// bytes are seen.
func NewDisk(api *client.Client, limit int64, watch *canary.Watch) *Disk {
	return &Disk{api: api, watch: watch, limit: limit, book: newLedger()}
}

// Attach implements Attached.
func (o *Disk) Attach(id string) { o.id = id }

// Sink implements Observer.
func (o *Disk) Sink() channel.Sink { return channel.SinkDisk }

// Pilot implements Observer.
func (o *Disk) Pilot(ctx context.Context, phase channel.ID) error {
	if phase != channel.PilotBefore && phase != channel.PilotAfter {
		return fmt.Errorf("%q is no phase of a trial", phase)
	}
	o.book.pilot(phase, 1)
	_, _, known, err := o.measure(ctx)
	if known && err == nil {
		o.book.found(map[channel.ID]int{phase: 1})
	}
	return err
}

// Collect implements Observer.
func (o *Disk) Collect(ctx context.Context) (Report, error) {
	files, bytes, _, err := o.measure(ctx)
	o.book.count(files, bytes)
	if bytes > o.limit {
		o.book.found(map[channel.ID]int{channel.ResourceDisk: 1})
	}
	return o.book.report(channel.SinkDisk), err
}

// measure adds up the layer, and says whether the watch knows the container.
func (o *Disk) measure(ctx context.Context) (files int, bytes int64, known bool, err error) {
	if !fullID.MatchString(o.id) {
		return 0, 0, false, errUnattached
	}
	c, err := o.api.ContainerInspect(ctx, o.id)
	if err != nil {
		return 0, 0, false, fmt.Errorf("looking for a container's layer: %w", err)
	}
	layer := c.GraphDriver.Data["UpperDir"]
	if layer == "" {
		return 0, 0, false, errors.New("looking for a container's layer: the Engine did not say")
	}
	files, bytes, err = room(layer)
	if err != nil {
		return files, bytes, false, fmt.Errorf("measuring a container's layer: %w", err)
	}
	return files, bytes, knowsPilot(tally(o.watch.Scan([]byte(c.Config.Labels[PilotLabel])))), nil
}

// room is how much the files below path hold. It follows no link.
func room(path string) (files int, bytes int64, err error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return 0, 0, withoutPath(err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return withoutPath(err)
		}
		files++
		if e.Type().IsRegular() {
			info, err := e.Info()
			if err != nil {
				return withoutPath(err)
			}
			bytes += info.Size()
		}
		return nil
	})
	return files, bytes, err
}

// Close implements Observer.
func (o *Disk) Close() error { return nil }
