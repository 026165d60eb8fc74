package observers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Held reads what the kernel tells the host of the container's processes: what
// they hold open, run, trace, lock and wait for. Its pilots are files of memory
// alone of the harness's own, whose names are read by the same eyes.
type Held struct {
	uid    int
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	pid    int
	before int // keys of the agent's user when the container began
}

var _ Living = (*Held)(nil)

// NewHeld prepares the observer of a container whose agent has a user id that
// no other has.
func NewHeld(uid int, watch *canary.Watch, pilots Pilots) (*Held, error) {
	return &Held{uid: uid, watch: watch, pilots: pilots, book: newLedger()}, nil
}

// Enter implements Living.
func (o *Held) Enter(_ string, pid int) { o.pid = pid }

// Sink implements Observer.
func (o *Held) Sink() channel.Sink { return channel.SinkHeld }

// Pilot implements Observer.
func (o *Held) Pilot(_ context.Context, phase channel.ID) (err error) {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	if phase == channel.PilotBefore {
		if o.before, err = keysOf(o.uid); err != nil {
			return err
		}
	}
	o.book.pilot(phase, 1)
	fd, err := unix.MemfdCreate(text, unix.MFD_CLOEXEC)
	if err != nil {
		return errors.New("making a file of memory for a pilot: the kernel refuses")
	}
	defer unix.Close(fd)
	look := newHoldings(o.watch)
	err = look.descriptors("/proc/self")
	o.book.found(onlyPhase(look.seen, phase))
	return err
}

// Look implements Living.
func (o *Held) Look(context.Context) error {
	look := newHoldings(o.watch)
	err := o.look(look)
	o.book.found(withoutPilots(maps.Clone(look.seen)))
	o.book.count(look.units, look.bytes)
	return err
}

// look reads each process, and then what there is once a container.
func (o *Held) look(into *holdings) error {
	pids, err := processesOf(o.pid)
	if err != nil {
		return fmt.Errorf("listing the container's processes: %w", withoutPath(err))
	}
	first := "/proc/" + strconv.Itoa(o.pid)
	for _, pid := range pids {
		err := into.process("/proc/"+strconv.Itoa(pid), first)
		if err != nil && !vanished(err) {
			return fmt.Errorf("looking at a process: %w", withoutPath(err)) // one that ended holds nothing
		}
	}
	for _, read := range []func() error{
		func() error { return into.netlink(first) },
		func() error { return into.packets(first) },
		func() error { return into.fileLocks(pids) },
	} {
		if err := read(); err != nil {
			return withoutPath(err)
		}
	}
	now, err := keysOf(o.uid)
	if now > o.before {
		into.effect(channel.KernelKeys)
	}
	return err
}

// Collect implements Observer.
func (o *Held) Collect(context.Context) (Report, error) { return o.book.report(o.Sink()), nil }

// Close implements Observer.
func (o *Held) Close() error { return nil }

// holdings are what one look saw. They hold no bytes.
type holdings struct {
	watch *canary.Watch
	seen  map[channel.ID]int
	units int
	bytes int64
}

func newHoldings(w *canary.Watch) *holdings {
	return &holdings{watch: w, seen: map[channel.ID]int{}}
}

// scan searches one unit.
func (h *holdings) scan(b []byte) {
	for id, n := range tally(h.watch.Scan(b)) {
		h.seen[id] += n
	}
	h.units++
	h.bytes += int64(len(b))
}

// effect counts what is no canary, but must not be.
func (h *holdings) effect(id channel.ID) { h.seen[id]++ }
