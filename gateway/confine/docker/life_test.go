package docker

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docker/docker/api/types/events"
)

// told is what an Engine says of the container "one": an action at a time.
func told(at int64, action string) events.Message {
	return events.Message{Action: events.Action(action), Actor: events.Actor{ID: "one"}, TimeNano: at}
}

// An Engine that is busy drops events for who listens, and remembers them; and
// one to whom somebody comes while it tells an event tells it twice.
func TestALifeIsWhatWasHeardAndWhatIsRemembered(t *testing.T) {
	create, start, update, die := told(1, "create"), told(2, "start"), told(3, "update"), told(9, "die")
	again := told(4, "start")
	type list = []events.Message
	all := list{create, start, update, die}
	whole := []string{"create", "start", "update", "die"}
	for name, c := range map[string]struct {
		heard, past list
		remembers   error
		want        []string
	}{
		"both":                        {all, all, nil, whole},
		"an update was dropped":       {list{create, start, die}, all, nil, []string{"create", "start", "die", "update"}},
		"the end was dropped":         {list{create, start, update}, all, nil, whole},
		"all was dropped":             {nil, all, nil, whole},
		"a new Engine":                {all, nil, nil, whole},
		"one event told twice":        {list{create, start, start, update, die}, all, nil, whole},
		"started twice":               {list{start, again, die}, nil, nil, []string{"start", "start", "die"}},
		"started twice, each has one": {list{start, die}, list{again, die}, nil, []string{"start", "die", "start"}},
		"another's":                   {list{start, {Action: "exec_create", Actor: events.Actor{ID: "two"}}, die}, nil, nil, []string{"start", "die"}},
		"the words of a command":      {list{start, told(5, "exec_start: /bin/sh"), die}, nil, nil, []string{"start", "exec_start", "die"}},
		"nobody tells":                {all, nil, errors.New("gone"), nil},
		"it goes on":                  {list{create, start}, list{create, start}, nil, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, heard := followed(t, func() (deeds []deed, err error) {
				for _, m := range c.past {
					deeds = append(deeds, deedOf(m))
				}
				return deeds, c.remembers
			})
			for _, m := range c.heard {
				heard <- m
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			got, err := l.End(ctx)
			if (err != nil) != (c.want == nil) || !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
			}
		})
	}
}

// followed is a life of the container "one", of which a test tells.
func followed(t *testing.T, past func() ([]deed, error)) (*Life, chan<- events.Message) {
	following, stop := context.WithCancel(t.Context())
	l := newLife(func(context.Context) ([]deed, error) { return past() }, stop)
	heard, failed := make(chan events.Message), make(chan error)
	l.done.Go(func() { l.listen(heard, failed, "one") })
	l.done.Go(func() { l.recall(following) })
	go func() {
		<-following.Done()
		failed <- following.Err()
	}()
	return l, heard
}

// What others do pushes out of the Engine's memory what it did not tell.
func TestALifeIsAskedForBeforeItIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		l, heard := followed(t, func() ([]deed, error) {
			if time.Since(began) > 4*time.Second {
				return nil, nil
			}
			return []deed{{"start", 1}, {"exec_create", 2}}, nil
		})
		time.Sleep(time.Minute)
		heard <- told(9, "die")
		got, err := l.End(t.Context())
		if want := []string{"start", "exec_create", "die"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v; want %v", got, err, want)
		}
	})
}

// A memory that could not be asked once may have held what it has no longer.
func TestALifeThatCouldNotBeAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		l, heard := followed(t, func() ([]deed, error) {
			if time.Since(began) < 2*time.Second {
				return nil, errors.New("gone")
			}
			return nil, nil
		})
		time.Sleep(time.Minute)
		heard <- told(9, "die")
		if got, err := l.End(t.Context()); err == nil {
			t.Errorf("%v", got)
		}
	})
}
