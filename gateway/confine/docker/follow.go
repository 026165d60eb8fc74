package docker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"postern/gateway/confine"

	"github.com/docker/docker/api/types/events"
	"github.com/docker/docker/api/types/filters"
)

// Life is what the Engine says that was done to one container, as it is done.
// The account of a container that has ended does not tell that a process was
// started beside the agent's, that it was paused, or changed and changed back.
//
// The Engine drops an event for a listener whom it could not serve within a
// tenth of a second, as on a busy machine, and keeps it in its memory of the
// last 256 of all containers, which a few that have health checks fill in
// seconds. So that is asked each second as well, and at the end: what either has
// was done. And it tells an event twice to a listener who comes while it is told:
// from its memory and as news. The time, which the Engine gives in nanoseconds,
// says whether it is one.
type Life struct {
	past   func(context.Context) ([]deed, error)
	cancel context.CancelFunc
	done   sync.WaitGroup // of those who listen and ask
	deaf   chan struct{}  // closed when no more is heard

	mu    sync.Mutex
	deeds []deed        // each once
	died  chan struct{} // closed when its end was heard of
	lost  error         // why the Engine's memory could not be asked
}

func newLife(past func(context.Context) ([]deed, error), cancel context.CancelFunc) *Life {
	return &Life{past: past, cancel: cancel, deaf: make(chan struct{}), died: make(chan struct{})}
}

// deed is one thing done to a container.
type deed struct {
	action string
	at     int64 // nanoseconds since 1970
}

// Follow listens from the container's beginning: the Engine repeats what it
// still remembers. End it, or it goes on.
func (e *Engine) Follow(ctx context.Context, id string) (*Life, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	heard, failed := e.api.Events(ctx, events.ListOptions{
		Since:   "1", // as far back as it remembers
		Filters: filters.NewArgs(filters.Arg("type", string(events.ContainerEventType)), filters.Arg("container", id)),
	})
	select {
	case err := <-failed:
		cancel()
		return nil, fmt.Errorf("following a container: %w", err)
	default:
	}
	past := func(ctx context.Context) ([]deed, error) { return e.remembered(ctx, id) }
	l := newLife(past, cancel)
	l.done.Go(func() { l.listen(heard, failed, id) })
	l.done.Go(func() { l.recall(ctx) })
	return l, nil
}

// remembered is what the Engine still has in its memory of events.
func (e *Engine) remembered(ctx context.Context, id string) (deeds []deed, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	now := time.Now()
	heard, failed := e.api.Events(ctx, events.ListOptions{
		Since:   "1",
		Until:   fmt.Sprintf("%d.%09d", now.Unix(), now.Nanosecond()),
		Filters: filters.NewArgs(filters.Arg("type", string(events.ContainerEventType)), filters.Arg("container", id)),
	})
	for {
		select {
		case m := <-heard:
			if m.Actor.ID == id {
				deeds = append(deeds, deedOf(m))
			}
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				return deeds, nil
			}
			return nil, fmt.Errorf("asking what was done to a container: %w", err)
		}
	}
}

// deedOf leaves out what follows a colon, which are the words of a command.
func deedOf(m events.Message) deed {
	action, _, _ := strings.Cut(string(m.Action), ":")
	return deed{action, m.TimeNano}
}

func (l *Life) listen(heard <-chan events.Message, failed <-chan error, id string) {
	defer close(l.deaf)
	for {
		select {
		case m := <-heard:
			if m.Actor.ID == id {
				l.note(deedOf(m))
			}
		case <-failed:
			return
		}
	}
}

// askAgain is how often the Engine's memory is asked. At 65 events a second,
// which four sessions beside each other come to, it reaches back four seconds.
const askAgain = time.Second

// recall asks the Engine's memory until nobody follows, or it cannot be asked.
func (l *Life) recall(ctx context.Context) {
	again := time.NewTicker(askAgain)
	defer again.Stop()
	for {
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
		past, err := l.past(ctx)
		if ctx.Err() != nil {
			return
		}
		l.note(past...)
		if err != nil {
			l.mu.Lock()
			l.lost = err
			l.mu.Unlock()
			return
		}
	}
}

// note keeps what was not told before.
func (l *Life) note(deeds ...deed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range deeds {
		if slices.Contains(l.deeds, d) {
			continue
		}
		l.deeds = append(l.deeds, d)
		select {
		case <-l.died:
		default:
			if d.action == string(events.ActionDie) {
				close(l.died)
			}
		}
	}
}

// End waits until the container's end was heard of, and gives what was done to
// it until then. After that nothing is heard.
func (l *Life) End(ctx context.Context) ([]string, error) {
	defer l.Close()
	select {
	case <-l.died:
	case <-l.deaf:
		return nil, errors.New("following a container: the Engine stopped telling")
	case <-ctx.Done():
		return nil, fmt.Errorf("following a container until its end: %w", ctx.Err())
	}
	past, err := l.past(ctx)
	l.note(past...)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err = cmp.Or(l.lost, err); err != nil {
		return nil, err
	}
	var actions []string
	for _, d := range l.deeds {
		actions = append(actions, d.action)
	}
	return actions, nil
}

// Close stops listening.
func (l *Life) Close() {
	l.cancel()
	l.done.Wait()
}

// weakActions are the controls that what was done to a container gives up.
// Looking at it (top, export, copy, attach) changes nothing; that others can
// look is a channel's matter. Of who is attached when a container ends the Engine
// says now and then that he was detached. With a health check, processes are the
// check's.
func weakActions(actions []string, healthcheck bool) []confine.Control {
	var weak []confine.Control
	times := map[string]int{}
	for _, action := range actions {
		times[action]++
		switch action {
		case "create", "attach", "detach", "kill", "stop", "oom", "top", "archive-path", "export", "copy":
		case "start", "die":
			if times[action] > 1 {
				weak = append(weak, confine.RestartNone)
			}
		case "restart":
			weak = append(weak, confine.RestartNone)
		case "destroy":
			weak = append(weak, confine.AutoremoveOff)
		case "health_status":
			weak = append(weak, confine.HealthcheckNone)
		case "exec_create", "exec_start", "exec_die", "exec_detach":
			if healthcheck {
				weak = append(weak, confine.HealthcheckNone)
			} else {
				weak = append(weak, confine.ExecNone)
			}
		default: // update, rename, pause, unpause, commit, and what later Engines know
			weak = append(weak, confine.Unchanged)
		}
	}
	if times["start"] == 0 || times["die"] == 0 {
		weak = append(weak, confine.Unchanged) // not the whole of its life
	}
	return weak
}
