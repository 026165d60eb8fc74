package observers

import (
	"context"
	"errors"
	"fmt"
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
	engineMemory   = 5 * time.Second       // how far back the Engine's events are asked for: since the create
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
	starts  int
	removed bool
}

var _ Living = (*Engine)(nil)

// NewEngine prepares the observer; Enter names its container.
func NewEngine(api *client.Client, watch *canary.Watch) *Engine {
	return &Engine{api: api, watch: watch, book: newLedger(), stop: func() {}}
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
	since := time.Now().Add(-engineMemory)
	heard, failed := o.api.Events(ctx, events.ListOptions{
		Since:   fmt.Sprintf("%d.%09d", since.Unix(), since.Nanosecond()),
		Filters: filters.NewArgs(filters.Arg("container", o.id)),
	})
	go func() {
		for {
			select {
			case e := <-heard:
				o.hear(e)
			case <-failed:
				return // what is missed then is the pilot after
			}
		}
	}()
}

// hear searches one event and takes its part in the container's life down.
func (o *Engine) hear(e events.Message) {
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
	o.book.await(ctx, channel.PilotAfter)
	err := o.account(ctx)
	o.stop()
	return o.book.report(channel.SinkEngine), err
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
