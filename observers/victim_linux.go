package observers

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

// What the victim's program agrees on with its observer: see victim_linux.go
// and prey_linux.go of the agent.
const maxPlanted = 64 << 20 // bytes that are read of what probes may leave in files

const (
	victimWord   = "victim"
	signalValue  = 40
	signalNumber = 44
	preySlot     = 64
	preySlots    = 4
	pilotSlot    = 3
	baitFD       = 3
	rlimitLocks  = 10 // asm-generic/resource.h
)

// victimPaths is how many ways lead into the victim, each with its pilot.
const victimPaths = 6

// Victim is a process of the host that has the agent's user, and all that
// another process of that user can do to it: signals, limits, files below its
// root and in its working directory, descriptors, memory.
type Victim struct {
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	actor  *actor
	dir    string // its root
	uid    int
	word   string // on its command line
	memory int64  // where others write
	bait   *os.File
	done   chan struct{} // closed when its pipes were read to the end
}

var _ Observer = (*Victim)(nil)

// NewVictim starts the agent's program as a victim with this user, in a root
// directory of its own, which it makes at dir.
func NewVictim(program, dir string, uid int, watch *canary.Watch, pilots Pilots) (*Victim, error) {
	o := &Victim{watch: watch, pilots: pilots, book: newLedger(), dir: dir, uid: uid, word: fmt.Sprintf("%s-%x", victimWord, uid), done: make(chan struct{})}
	if err := o.furnish(program, uid); err != nil {
		return nil, fmt.Errorf("starting the victim observer: %w", err)
	}
	if err := o.begin(uid); err != nil {
		return nil, fmt.Errorf("starting the victim observer: %w", errors.Join(err, o.Close()))
	}
	return o, nil
}

// furnish makes the victim's root: its program, and two places to write to.
func (o *Victim) furnish(program string, uid int) error {
	for _, d := range []string{o.dir, o.below("drop"), o.below("work")} {
		if err := os.Mkdir(d, 0o711); err != nil {
			return err
		}
	}
	for _, d := range []string{o.below("drop"), o.below("work")} {
		if err := os.Chown(d, uid, uid); err != nil {
			return err
		}
	}
	return os.Link(program, o.below("agent"))
}

func (o *Victim) below(name string) string { return filepath.Join(o.dir, name) }

func (o *Victim) begin(uid int) error {
	bait, far, err := os.Pipe()
	if err != nil {
		return err
	}
	defer far.Close()
	o.bait = bait
	if err := far.Chown(uid, uid); err != nil { // as a pipe that it made itself
		return err
	}
	cmd := exec.Command("/agent", childWord, victimWord, o.word)
	cmd.Dir, cmd.ExtraFiles = "/work", []*os.File{far}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: o.dir, Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	if o.actor, err = startDeaf(cmd); err != nil {
		return err
	}
	return o.attend()
}

// startDeaf starts an actor that has the signals blocked which it is to record:
// a Go program cannot block them in all of its threads.
func startDeaf(cmd *exec.Cmd) (a *actor, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var recorded, before unix.Sigset_t
	for n := signalValue; n < signalNumber+16; n++ {
		recorded.Val[0] |= 1 << (n - 1)
	}
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &recorded, &before); err != nil {
		return nil, err
	}
	defer unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
	return start(cmd)
}

// attend waits until the victim is ready, and then reads all that it says.
func (o *Victim) attend() error {
	if err := o.actor.tell(plan.Probe{}); err != nil {
		return err
	}
	said := bufio.NewReader(o.actor.stdout)
	o.actor.stdout.SetReadDeadline(time.Now().Add(actorPatience))
	first, err := said.ReadString('\n')
	if err != nil {
		return err
	}
	at, _ := strings.CutPrefix(strings.TrimSpace(first), "ready ")
	if o.memory, err = strconv.ParseInt(at, 16, 64); err != nil {
		return errors.New("the victim did not say where its memory is")
	}
	o.actor.stdout.SetReadDeadline(time.Time{})
	records, baits := make(chan struct{}), make(chan struct{})
	go func() { defer close(records); o.readRecords(said) }()
	go func() { defer close(baits); o.readBait() }()
	go func() { <-records; <-baits; close(o.done) }()
	return nil
}

// readRecords puts together what came in signals: halves of a canary as
// values, digits as numbers.
func (o *Victim) readRecords(said *bufio.Reader) {
	heard := &signals{values: o.watch.Stream(), numbers: o.watch.Stream()}
	for {
		line, err := said.ReadString('\n')
		if err != nil {
			return
		}
		n, seen, ok := heard.record(line)
		if !ok {
			o.book.lost(1)
			continue
		}
		o.book.read(int64(n), seen)
	}
}

// signals searches what a victim recorded.
type signals struct {
	values, numbers *canary.Stream
	before          map[channel.ID]int
}

// record reads one line, "signal value", and returns what it completed.
func (s *signals) record(line string) (bytes int, seen map[channel.ID]int, ok bool) {
	number, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	signal, err := strconv.Atoi(number)
	v, bad := strconv.ParseUint(value, 16, 64)
	switch {
	case err != nil || bad != nil:
		return 0, nil, false
	case signal == signalValue:
		bytes, _ = s.values.Write(binary.BigEndian.AppendUint64(nil, v))
	case signal >= signalNumber && signal < signalNumber+16:
		bytes, _ = s.numbers.Write(strconv.AppendInt(nil, int64(signal-signalNumber), 16))
	}
	all := s.values.Sightings()
	for id, n := range s.numbers.Sightings() {
		all[id] += n
	}
	seen = beyond(all, s.before)
	s.before = all
	return bytes, seen, true
}

func (o *Victim) readBait() {
	search, before := o.watch.Stream(), map[channel.ID]int(nil)
	b := make([]byte, 4096)
	for {
		n, err := o.bait.Read(b)
		search.Write(b[:n])
		now := search.Sightings()
		o.book.read(int64(n), beyond(now, before))
		if before = now; err != nil {
			return
		}
	}
}

// Addr is what probes need to find it.
func (o *Victim) Addr() string { return fmt.Sprintf("%s@%x", o.word, o.memory) }

// Sink implements Observer.
func (o *Victim) Sink() channel.Sink { return channel.SinkVictim }

// Pilot implements Observer: one by every way into the victim.
func (o *Victim) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, victimPaths)
	prey := prey{o.actor.cmd.Process.Pid, o.memory, o.uid}
	was, err := prey.plant(text)
	if err != nil {
		return fmt.Errorf("piloting the victim: %w", err)
	}
	if err := errors.Join(o.look(), prey.restore(was)); err != nil {
		return err
	}
	o.book.await(ctx, phase)
	return nil
}

// look reads what does not arrive by itself: limits, memory and files.
func (o *Victim) look() error {
	prey := prey{o.actor.cmd.Process.Pid, o.memory, o.uid}
	limits, err := prey.limits()
	if err != nil {
		return fmt.Errorf("reading the victim's limits: %w", err)
	}
	o.book.read(int64(len(limits)), tally(o.watch.Scan(limits)))
	memory, err := prey.memory()
	if err != nil {
		return fmt.Errorf("reading the victim's memory: %w", err)
	}
	o.book.read(int64(len(memory)), tally(o.watch.Scan(memory)))
	for _, place := range []string{"drop", "work"} {
		d, err := searchDirectory(o.below(place), o.watch, maxPlanted, nil)
		if errors.Is(err, errTooLong) {
			o.book.lost(1)
			err = nil
		}
		if err != nil {
			return fmt.Errorf("reading the victim's files: %w", err)
		}
		o.book.found(d.seen)
		o.book.count(d.files, d.bytes)
	}
	return nil
}

// Collect implements Observer: a look while the victim lives, and then the
// rest of what it says.
func (o *Victim) Collect(ctx context.Context) (Report, error) {
	err := o.look()
	o.actor.stdin.Close()
	ctx, cancel := context.WithTimeout(ctx, collectPatience)
	defer cancel()
	select {
	case <-o.done:
	case <-ctx.Done():
		o.book.lost(1) // somebody else keeps its pipes open
	}
	return o.book.report(channel.SinkVictim), err
}

// Close implements Observer.
func (o *Victim) Close() error {
	if o.bait != nil {
		o.bait.Close()
	}
	if o.actor != nil {
		o.actor.close()
	}
	return nil
}
