package observers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Links searches the aliases of this host's network interfaces. Its pilots
// are aliases of one interface, which has none afterwards.
type Links struct {
	looked bool   // once
	sys    string // the directory of interfaces
	own    string // the interface that stands for all
	one    *sync.Mutex
	pilots Pilots
	watch  *canary.Watch
	book   *ledger
}

var _ Living = (*Links)(nil)

// NewLinks prepares the observer. Observers that share an interface share the
// lock.
func NewLinks(own string, one *sync.Mutex, watch *canary.Watch, pilots Pilots) *Links {
	return &Links{sys: "/sys/class/net", own: own, one: one, pilots: pilots, watch: watch, book: newLedger()}
}

// Enter implements Living: what it looks at is the host's.
func (o *Links) Enter(string, int) {}

// Sink implements Observer.
func (o *Links) Sink() channel.Sink { return channel.SinkLinks }

// Pilot implements Observer.
func (o *Links) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	o.one.Lock()
	defer o.one.Unlock()
	if err := o.name(text); err != nil {
		return fmt.Errorf("setting the pilot of interfaces: %w", err)
	}
	return errors.Join(o.search(phase), o.name(""))
}

func (o *Links) name(alias string) error {
	return os.WriteFile(filepath.Join(o.sys, o.own, "ifalias"), []byte(alias+"\n"), 0o644)
}

// Look implements Living. What the agent left there is taken away.
func (o *Links) Look(context.Context) error {
	o.looked = true
	o.one.Lock()
	defer o.one.Unlock()
	return errors.Join(o.search(""), o.name(""))
}

// search reads all aliases once.
func (o *Links) search(pilot channel.ID) error {
	files, err := filepath.Glob(filepath.Join(o.sys, "*", "ifalias"))
	if err != nil || len(files) == 0 {
		return errors.New("listing interfaces: none is there")
	}
	for _, file := range files {
		alias, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENODEV) {
			continue // those of containers come and go
		}
		if err != nil {
			return fmt.Errorf("reading the alias of an interface: %w", err)
		}
		seen := tally(o.watch.Scan(alias))
		if pilot == "" || seen[pilot] > 0 {
			o.book.read(int64(len(alias)), seen)
		}
	}
	return nil
}

// Collect implements Observer.
func (o *Links) Collect(context.Context) (Report, error) {
	if !o.looked {
		o.book.lost(1) // pilots alone prove nothing
	}
	return o.book.report(channel.SinkLinks), nil
}

// Close implements Observer.
func (o *Links) Close() error { return nil }
