package observers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/events"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	healthPatience = 10 * time.Second      // for the first answer of a health command
	healthPause    = 20 * time.Millisecond // between looks for it
	engineMemory   = time.Minute           // how far back the Engine's events are asked for: since the create
	engineAgain    = time.Second           // how long an event may be on its way before it is asked for again
	endPatience    = pilotPatience * 2     // for the last events of a container that ended
)

// Engine reads what the Engine itself tells anybody who may ask about a
// container: its account (inspect) and its events.
//
// Every event of a container carries the container's labels, PilotLabel among
// them. So the event of its start is the pilot before, and that of its death
// the pilot after: who heard both heard what came between.
type Engine struct {
	api   *client.Client
	watch *canary.Watch
	book  *ledger
	id    string
	stop  context.CancelFunc

	mu      sync.Mutex
	known   map[string]bool // events that were heard
	since   time.Time
	starts  int
	removed bool
}

var _ Living = (*Engine)(nil)

// NewEngine prepares the observer; Enter names its container.
func NewEngine(api *client.Client, watch *canary.Watch) *Engine {
	return &Engine{api: api, watch: watch, book: newLedger(), stop: func() {}, known: map[string]bool{}}
}

// Enter implements Living.
func (o *Engine) Enter(container string, _ int) { o.id = container }

// Sink implements Observer.
func (o *Engine) Sink() channel.Sink { return channel.SinkEngine }

// Pilot implements Observer. The pilot after is heard when the container ends.
func (o *Engine) Pilot(ctx context.Context, phase channel.ID) error {
	if !fullID.MatchString(o.id) {
		return errUnattached
	}
	switch phase {
	case channel.PilotBefore:
		o.book.pilot(phase, 1)
		o.listen(ctx)
		o.book.await(ctx, phase)
	case channel.PilotAfter:
		o.book.pilot(phase, 1)
	default:
		return fmt.Errorf("%q is no phase of a trial", phase)
	}
	return nil
}

// listen asks for the container's events, those of its beginning included.
func (o *Engine) listen(ctx context.Context) {
	ctx, o.stop = context.WithCancel(context.WithoutCancel(ctx))
	o.since = time.Now().Add(-engineMemory)
	go gather(o.hear)(o.api.Events(ctx, o.asked())) // what is missed is the pilot after
}

func (o *Engine) asked() events.ListOptions {
	return events.ListOptions{Since: stamp(o.since), Filters: filters.NewArgs(filters.Arg("container", o.id))}
}

func stamp(t time.Time) string { return fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond()) }

// gather hands over events until there are no more.
func gather(each func(events.Message)) func(heard <-chan events.Message, failed <-chan error) {
	return func(heard <-chan events.Message, failed <-chan error) {
		for {
			select {
			case e := <-heard:
				each(e)
			case <-failed:
				return
			}
		}
	}
}

// remembered hears what the Engine still knows of. It drops an event for a
// listener whom it could not serve within a tenth of a second, but remembers the
// last 256. A memory that does not reach back to the container's start may lack
// more, and is not taken for hearing.
func (o *Engine) remembered(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	asked := o.asked()
	asked.Until = stamp(time.Now())
	var past []events.Message
	gather(func(e events.Message) { past = append(past, e) })(o.api.Events(ctx, asked))
	if !slices.ContainsFunc(past, func(e events.Message) bool { return e.Action == events.ActionStart }) {
		return
	}
	for _, e := range past {
		o.hear(e)
	}
}

// isNew reports whether an event was not heard yet.
func (o *Engine) isNew(e events.Message) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	key := fmt.Sprintf("%d %s", e.TimeNano, e.Action)
	known := o.known[key]
	o.known[key] = true
	return !known
}

// hear searches one event and takes its part in the container's life down.
func (o *Engine) hear(e events.Message) {
	if !o.isNew(e) {
		return
	}
	s := o.watch.Stream()
	s.Write([]byte(e.Action))
	for key, value := range e.Actor.Attributes {
		for _, text := range []string{"\n", key, "\n", value} {
			s.Write([]byte(text))
		}
	}
	seen := s.Sightings()
	known := knowsPilot(seen)
	o.book.read(s.Bytes(), withoutPilots(seen))
	o.mu.Lock()
	switch e.Action {
	case events.ActionStart:
		o.starts++
	case events.ActionDestroy:
		o.removed = true
	}
	first := o.starts == 1
	o.mu.Unlock()
	switch {
	case known && e.Action == events.ActionStart && first:
		o.book.found(map[channel.ID]int{channel.PilotBefore: 1})
	case known && e.Action == events.ActionDie:
		o.book.found(map[channel.ID]int{channel.PilotAfter: 1})
	case e.Action == events.ActionDestroy:
		o.book.change(func() {}) // wakes who waits for it
	}
}

// Look implements Living: where the Engine runs a health command, its answer
// is waited for, since the agent will not wait for long.
func (o *Engine) Look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	for {
		c, err := o.api.ContainerInspect(ctx, o.id)
		if err != nil {
			return fmt.Errorf("looking at the health of a container: %w", err)
		}
		if c.ContainerJSONBase == nil || c.State == nil {
			return errors.New("looking at the health of a container: the Engine did not say")
		}
		if c.State.Health == nil || c.State.Health.Status == container.NoHealthcheck || len(c.State.Health.Log) > 0 {
			return nil
		}
		select {
		case <-time.After(healthPause):
		case <-ctx.Done():
			return errors.New("looking at the health of a container: the Engine did not ask")
		}
	}
}

// Collect implements Observer, once the container has ended.
func (o *Engine) Collect(ctx context.Context) (Report, error) {
	o.awaitEnd(ctx)
	err := o.account(ctx)
	o.stop()
	return o.book.report(channel.SinkEngine), err
}

// awaitEnd waits for the event of the container's death, and asks for it where it
// does not come.
func (o *Engine) awaitEnd(ctx context.Context) {
	short, cancel := context.WithTimeout(ctx, engineAgain)
	defer cancel()
	o.book.await(short, channel.PilotAfter)
	if short.Err() != nil && ctx.Err() == nil {
		o.remembered(ctx)
		o.book.await(ctx, channel.PilotAfter)
	}
}

// account searches what the Engine still knows of the container.
func (o *Engine) account(ctx context.Context) error {
	if !fullID.MatchString(o.id) {
		return errUnattached
	}
	c, raw, err := o.api.ContainerInspectWithRaw(ctx, o.id, false)
	if errdefs.IsNotFound(err) {
		o.book.found(map[channel.ID]int{channel.EngineEvidence: 1})
		return nil
	}
	if err != nil {
		return fmt.Errorf("asking the Engine about a container: %w", err)
	}
	if c.ContainerJSONBase == nil || c.HostConfig == nil {
		return errors.New("asking the Engine about a container: it did not say")
	}
	o.book.read(int64(len(raw)), withoutPilots(tally(o.watch.Scan(raw))))
	if c.HostConfig.AutoRemove && o.awaitRemoval(ctx) {
		o.book.found(map[channel.ID]int{channel.EngineEvidence: 1})
	}
	if c.RestartCount > 0 || o.begun() > 1 {
		o.book.found(map[channel.ID]int{channel.EngineRestarted: 1})
	}
	return nil
}

func (o *Engine) begun() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.starts
}

// awaitRemoval reports whether the Engine took the container away while we
// waited.
func (o *Engine) awaitRemoval(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, endPatience)
	defer cancel()
	for {
		o.book.mu.Lock()
		news := o.book.news
		o.book.mu.Unlock()
		o.mu.Lock()
		removed := o.removed
		o.mu.Unlock()
		if removed {
			return true
		}
		select {
		case <-news:
		case <-ctx.Done():
			return false
		}
	}
}

// Close implements Observer.
func (o *Engine) Close() error {
	o.stop()
	return nil
}
