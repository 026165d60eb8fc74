package observers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// NewSettings reads the host's kernel settings: those that are texts, and the
// numbers by which an agent may spell. Its pilots are the name of a namespace
// of its own, which is read from the same file as the host's.
func NewSettings(watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	s := &settings{watch: watch}
	return newLookout(channel.SinkSettings, pilots, false, spot{
		pilot: func(_ whereabouts, text string) (g glance, err error) {
			if err := s.remember(); err != nil {
				return g, err
			}
			err = apart(func() error {
				if err := unix.Unshare(unix.CLONE_NEWUTS); err != nil {
					return fmt.Errorf("making a namespace for a pilot: %w", err)
				}
				if err := unix.Sethostname([]byte(text)); err != nil {
					return fmt.Errorf("naming a namespace by a pilot: %w", err)
				}
				g, err = s.search()
				return err
			})
			return g, err
		},
		read: func(ctx context.Context, _ whereabouts) (glance, error) { return s.look(ctx) },
		tidy: s.putBack,
	}), nil
}

// settings holds what stood there before the agent did.
type settings struct {
	watch *canary.Watch

	mu    sync.Mutex
	known bool
	texts map[string]string // by path
	level int
	error int64
}

// textSettings are the settings of the whole kernel that hold a text.
func textSettings() []string {
	return []string{
		"/proc/sys/kernel/hostname", "/proc/sys/kernel/domainname",
		"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/poweroff_cmd",
		"/proc/sys/kernel/modprobe", "/proc/sys/kernel/hotplug",
	}
}

func (s *settings) search() (g glance, err error) {
	for _, path := range textSettings() {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // not in every kernel
		}
		if err != nil {
			return g, fmt.Errorf("reading a kernel setting: %w", err)
		}
		g.see(s.watch, text)
	}
	return g, nil
}

// remember keeps everything once: what it is later is then the agent's doing.
func (s *settings) remember() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known {
		return nil
	}
	s.texts = map[string]string{}
	for _, path := range textSettings() {
		if text, err := os.ReadFile(path); err == nil {
			s.texts[path] = string(text)
		}
	}
	var err error
	if s.level, err = consoleLevel(); err != nil {
		return err
	}
	if s.error, err = clockError(); err != nil {
		return err
	}
	s.known = true
	return nil
}

func (s *settings) look(ctx context.Context) (glance, error) {
	g, err := s.search()
	if err != nil {
		return g, err
	}
	for _, spelling := range []func(context.Context, *glance) error{s.console, s.clock} {
		if err := spelling(ctx, &g); err != nil {
			return g, err
		}
	}
	return g, nil
}

// putBack takes the agent's texts away where it was not known beforehand that
// it would get so far, and nobody wrote down what stood there.
func (s *settings) putBack() error {
	var errs []error
	for path, before := range s.texts {
		now, err := os.ReadFile(path)
		if err == nil && len(s.watch.Scan(now)) > 0 && len(s.watch.Scan([]byte(before))) == 0 {
			err = os.WriteFile(path, []byte(before), 0)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
