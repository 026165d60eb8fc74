package observers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// PilotLabel is the label that the container is created with; its value is
// the text of the pilot. The Engine writes labels into the directory where
// log drivers write, so that who reads that directory sees it.
const PilotLabel = "postern.pilot"

// DressedLabel is the label of the pilot in the dress of channel.LogPacked, in
// the trials in which that is tried.
const DressedLabel = "postern.pilot.dressed"

const maxLogs = 1 << 30 // bytes read in one look; what goes beyond is a drop

// Log reads everything that the Engine keeps of one container: the files in
// its directory, and the log through the API if the driver can be read. That
// the API shows what was logged is proved once a campaign, by CheckLogs.
type Log struct {
	engine *client.Client
	root   string
	watch  *canary.Watch
	book   *ledger
	deep   *deep
	id     string
}

var _ Observer = (*Log)(nil)

// NewLog prepares the observer; Attach names its container. root is the
// Engine's DockerRootDir. Of the pilots it asks only whether some are dressed:
// whoever creates the container sends them, as its labels.
func NewLog(engine *client.Client, root string, watch *canary.Watch, pilots Pilots) (*Log, error) {
	deep, err := newDeep(channel.SinkLog, watch, pilots)
	if err != nil {
		return nil, fmt.Errorf("starting the log observer: %w", err)
	}
	if deep != nil {
		deep.pilots = []channel.ID{channel.PilotBefore} // there is one label
	}
	return &Log{engine: engine, root: root, watch: watch, book: newLedger(), deep: deep}, nil
}

// Attach names the container by its full ID. Call it before the first Pilot.
func (o *Log) Attach(id string) { o.id = id }

// Sink implements Observer.
func (o *Log) Sink() channel.Sink { return channel.SinkLog }

// Pilot implements Observer: it looks for the label of the container.
func (o *Log) Pilot(_ context.Context, phase channel.ID) error {
	if phase != channel.PilotBefore && phase != channel.PilotAfter {
		return fmt.Errorf("%q is no phase of a trial", phase)
	}
	o.book.pilot(phase, 1)
	d, err := o.directory(nil)
	if err != nil {
		return fmt.Errorf("looking for the log pilot: %w", err)
	}
	o.hear(phase, d.seen)
	return nil
}

// knowsPilot says whether the label was seen, whichever phase's pilot it holds.
func knowsPilot(seen map[channel.ID]int) bool {
	return seen[channel.PilotBefore]+seen[channel.PilotAfter] > 0
}

// hear counts one look that saw the label.
func (o *Log) hear(phase channel.ID, seen map[channel.ID]int) {
	if knowsPilot(seen) {
		o.book.found(map[channel.ID]int{phase: 1})
	}
}

var fullID = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (o *Log) directory(deep *deep) (directory, error) {
	if !fullID.MatchString(o.id) {
		return directory{}, errors.New("no container is attached by its full ID")
	}
	return searchDirectory(filepath.Join(o.root, "containers", o.id), o.watch, maxLogs, deep)
}

// Collect implements Observer. This last look must see the label as well, and
// the one in a dress where there is one.
func (o *Log) Collect(ctx context.Context) (Report, error) {
	err := o.collect(ctx)
	if o.deep != nil {
		o.book.again(channel.PilotBefore)
		o.deep.hear(ctx, o.book)
	}
	if errors.Is(err, errTooLong) {
		o.book.lost(1)
		err = nil
	}
	return o.book.report(channel.SinkLog), err
}

func (o *Log) collect(ctx context.Context) error {
	o.book.again(channel.PilotAfter)
	d, err := o.directory(o.deep)
	o.hear(channel.PilotAfter, d.seen)
	o.book.count(d.files, d.bytes)
	seen := withoutPilots(d.seen)
	o.book.found(seen)
	if err != nil {
		return fmt.Errorf("reading the container's directory: %w", err)
	}
	// The API joins the lines that a driver splits; what both show is one sighting.
	api, bytes, err := readLogs(ctx, o.engine, o.id, o.watch, o.deep)
	o.book.found(beyond(withoutPilots(api), seen))
	o.book.count(1, bytes)
	if err != nil {
		return fmt.Errorf("reading the container's log: %w", err)
	}
	return nil
}

// Close implements Observer.
func (o *Log) Close() error { return nil }

// readLogs searches what the API shows of a container's output. A driver that
// cannot be read shows nothing: asking one of type "none" hangs the Engine.
func readLogs(ctx context.Context, engine *client.Client, id string, watch *canary.Watch, deep *deep) (map[channel.ID]int, int64, error) {
	info, err := engine.ContainerInspect(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	if info.HostConfig.LogConfig.Type == "none" {
		return nil, 0, nil
	}
	body, err := engine.ContainerLogs(ctx, id, container.LogsOptions{ShowStdout: true, ShowStderr: true})
	if errdefs.IsNotImplemented(err) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer body.Close()
	out, stderr := watch.Stream(), watch.Stream()
	if info.Config.Tty {
		_, err = io.Copy(io.MultiWriter(out, deep.writer()), &limited{body, maxLogs})
	} else {
		err = demultiplex(&limited{body, maxLogs}, io.MultiWriter(out, deep.writer()), io.MultiWriter(stderr, deep.writer()))
	}
	seen := out.Sightings()
	for id, n := range stderr.Sightings() {
		seen[id] += n
	}
	return seen, out.Bytes() + stderr.Bytes(), err
}

// demultiplex splits the Engine's log stream: frames of an eight-byte header
// and a payload. docker's own stdcopy takes a cut stream for a whole one.
func demultiplex(r io.Reader, stdout, stderr io.Writer) error {
	for {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading the head of a log frame: %w", err)
		}
		to, ok := map[byte]io.Writer{0: stdout, 1: stdout, 2: stderr}[head[0]]
		if !ok {
			return errors.New("reading a log frame: the Engine reports a failure in the stream")
		}
		size := int64(binary.BigEndian.Uint32(head[4:]))
		if n, err := io.CopyN(to, r, size); err != nil {
			return fmt.Errorf("reading a log frame: %d of %d bytes: %w", n, size, err)
		}
	}
}
