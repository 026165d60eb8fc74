package docker

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// An Engine that is busy drops events for who listens, and remembers them.
func TestALifeIsWhatWasHeardAndWhatIsRemembered(t *testing.T) {
	whole := []string{"create", "start", "update", "die"}
	for name, c := range map[string]struct {
		heard, past []string
		remembers   error
		want        []string
	}{
		"both":                  {whole, whole, nil, whole},
		"an update was dropped": {[]string{"create", "start", "die"}, whole, nil, []string{"create", "start", "die", "update"}},
		"the end was dropped":   {[]string{"create", "start", "update"}, whole, nil, whole},
		"all was dropped":       {nil, whole, nil, whole},
		"a new Engine":          {whole, nil, nil, whole},
		"started twice":         {[]string{"start", "die"}, []string{"start", "die", "start", "die"}, nil, []string{"start", "die", "start", "die"}},
		"nobody tells":          {whole, nil, errors.New("gone"), nil},
		"it goes on":            {[]string{"create", "start"}, []string{"create", "start"}, nil, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &Life{cancel: func() {}, done: make(chan struct{}), died: make(chan struct{}), actions: c.heard}
			l.past = func(context.Context) ([]string, error) { return c.past, c.remembers }
			l.cancel = func() { close(l.done) }
			if slices.Contains(c.heard, "die") {
				close(l.died)
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
