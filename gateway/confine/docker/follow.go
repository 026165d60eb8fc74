package docker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"postern/gateway/confine"

	"github.com/docker/docker/api/types/events"
	"github.com/docker/docker/api/types/filters"
)

// Life is what the Engine says that was done to one container, as it is done.
// The account of a container that has ended does not tell that a process was
// started beside the agent's, that it was paused, or changed and changed back.
type Life struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when no more is heard
	died   chan struct{} // closed when its end was heard of

	mu      sync.Mutex
	actions []string
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
	l := &Life{cancel: cancel, done: make(chan struct{}), died: make(chan struct{})}
	go l.listen(heard, failed, id)
	return l, nil
}

func (l *Life) listen(heard <-chan events.Message, failed <-chan error, id string) {
	defer close(l.done)
	died := sync.OnceFunc(func() { close(l.died) })
	for {
		select {
		case m := <-heard:
			if m.Actor.ID != id {
				continue
			}
			action, _, _ := strings.Cut(string(m.Action), ":") // what follows are the words of a command
			l.mu.Lock()
			l.actions = append(l.actions, action)
			l.mu.Unlock()
			if action == string(events.ActionDie) {
				died()
			}
		case <-failed:
			return
		}
	}
}

// End waits until the container's end was heard of, and gives what was done to
// it until then, in order. After that nothing is heard.
func (l *Life) End(ctx context.Context) ([]string, error) {
	defer l.Close()
	select {
	case <-l.died:
	case <-l.done:
		return nil, errors.New("following a container: the Engine stopped telling")
	case <-ctx.Done():
		return nil, fmt.Errorf("following a container until its end: %w", ctx.Err())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.actions), nil
}

// Close stops listening.
func (l *Life) Close() {
	l.cancel()
	<-l.done
}

// weakActions are the controls that what was done to a container gives up.
// Looking at it (top, export, copy, attach) changes nothing; that others can
// look is a channel's matter. With a health check, processes are the check's.
func weakActions(actions []string, healthcheck bool) []confine.Control {
	var weak []confine.Control
	times := map[string]int{}
	for _, action := range actions {
		times[action]++
		switch action {
		case "create", "attach", "kill", "stop", "oom", "top", "archive-path", "export", "copy":
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
