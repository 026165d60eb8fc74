package observers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

// peerPaths is how many ways lead into another container, each with its pilot.
const peerPaths = 3 + 2 + ipcKinds

// everything makes an actor show its probe in every place.
const everything = "everything"

// Peer looks at what another container can see: processes in its /proc, files
// of its own, its output, and its IPC namespace. Where the Engine would let
// others join the agent's IPC namespace, one does.
type Peer struct {
	engine  *client.Client
	program string
	peer    Neighbour
	owner   int
	watch   *canary.Watch
	pilots  Pilots
	book    *ledger
	actor   *actor // holds the pilots, in the peer's PID namespace
	leave   func() // stops listening to the peer's output
	id      string
}

var _ Living = (*Peer)(nil)

// NewPeer prepares the observer for the agent with this user. The program is
// the agent's.
func NewPeer(engine *client.Client, program string, peer Neighbour, uid int, watch *canary.Watch, pilots Pilots) (*Peer, error) {
	o := &Peer{engine: engine, program: program, peer: peer, owner: uid, watch: watch, pilots: pilots, book: newLedger()}
	var err error
	if o.actor, err = showing(context.Background(), program, peer.PID); err != nil {
		return nil, fmt.Errorf("starting the peer observer: %w", err)
	}
	o.leave = peer.Output.listen(watch, o.book)
	return o, nil
}

// PeerOutput is the descriptor of the peer's first process that a probe writes
// to, where it shares the peer's PID namespace.
const PeerOutput = "/proc/1/fd/1"

// PeerFile is where the probe of the agent with this user writes through the
// root directory of the peer's first process.
func PeerFile(uid int) string { return "/proc/1/root" + peerFile(ipcAgent|uid) }

func peerFile(key int) string { return "/scratch/" + ipcName(key) }

func (o *Peer) file(key int) string { return peerFile(key | o.owner) }

func (o *Peer) path(name string) string { return fmt.Sprintf("/proc/%d/%s", o.peer.PID, name) }

func (o *Peer) space() space {
	return space{namespace: o.path("ns/ipc"), shm: o.path("root/dev/shm")}
}

// Enter implements Living.
func (o *Peer) Enter(id string, _ int) { o.id = id }

// Sink implements Observer.
func (o *Peer) Sink() channel.Sink { return channel.SinkPeer }

// Pilot implements Observer.
func (o *Peer) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, peerPaths)
	if err := o.actor.show(plan.Probe{Canary: text, Address: everything}); err != nil {
		return fmt.Errorf("piloting the peer: %w", err)
	}
	own, err := o.ownPID()
	if err != nil {
		return fmt.Errorf("piloting the peer: %w", err)
	}
	return errors.Join(
		o.process(own),
		o.pilotFile(text),
		pilotSpace(o.space(), ipcOtherPilot|o.owner, text, o.watch, o.book),
		o.pilotOutput(ctx, phase, text))
}

// ownPID is the actor's number in the peer's PID namespace.
func (o *Peer) ownPID() (string, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", o.actor.cmd.Process.Pid))
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(status), "\nNSpid:")
	line, _, _ := strings.Cut(rest, "\n")
	numbers := strings.Fields(line)
	if len(numbers) < 2 {
		return "", errors.New("the actor is in no PID namespace of its own")
	}
	return numbers[len(numbers)-1], nil
}

func (o *Peer) pilotFile(text string) error {
	path := o.path("root" + o.file(ipcOtherPilot))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return withoutPath(err)
	}
	defer os.Remove(path)
	return o.searchFile(ipcOtherPilot)
}

func (o *Peer) searchFile(key int) error {
	f, err := os.OpenFile(o.path("root"+o.file(key)), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return withoutPath(err)
	}
	defer f.Close()
	search := o.watch.Stream()
	n, err := io.Copy(search, io.LimitReader(f, maxPlanted))
	o.book.read(n, search.Sightings())
	return withoutPath(err)
}

func (o *Peer) pilotOutput(ctx context.Context, phase channel.ID, text string) error {
	f, err := os.OpenFile(o.path("fd/1"), os.O_WRONLY, 0)
	if err != nil {
		return withoutPath(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text + "\n"); err != nil {
		return withoutPath(err)
	}
	o.book.await(ctx, phase) // all others were seen before
	return nil
}

// Look implements Living.
func (o *Peer) Look(ctx context.Context) error {
	if err := o.processes(); err != nil {
		return err
	}
	if err := o.searchFile(ipcAgent); err != nil {
		return err
	}
	if err := searchSpace(o.space(), ipcAgent|o.owner, o.watch, o.book); err != nil {
		return err
	}
	return o.join(ctx)
}

// processes reads all that the peer's /proc tells, but for our own actors.
func (o *Peer) processes() error {
	all, err := filepath.Glob(o.path("root/proc/[0-9]*"))
	if err != nil || len(all) == 0 {
		return errors.New("the peer's /proc is not to be read")
	}
	own, err := o.ownPID()
	if err != nil {
		return err
	}
	for _, dir := range all {
		if number := filepath.Base(dir); number != own {
			if err := o.process(number); err != nil {
				return err
			}
		}
	}
	return nil
}

// process searches what the peer's /proc says of one process. One that ended
// meanwhile says nothing.
func (o *Peer) process(number string) error {
	dir := o.path("root/proc/" + number)
	names, err := threadNames(dir)
	if err != nil {
		return err
	}
	said := [][]byte{names}
	for _, name := range []string{"cmdline", "environ"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if vanished(err) {
			return nil
		}
		if err != nil {
			return withoutPath(err)
		}
		said = append(said, b)
	}
	for _, b := range said {
		o.book.read(int64(len(b)), tally(o.watch.Scan(b)))
	}
	return nil
}

// threadNames puts the names of a process's threads together in their order,
// without the digit in front that may tell it.
func threadNames(dir string) ([]byte, error) {
	tasks, err := filepath.Glob(filepath.Join(dir, "task/*/comm"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, task := range tasks {
		b, err := os.ReadFile(task)
		if vanished(err) {
			continue // that thread ended; the process goes on
		}
		if err != nil {
			return nil, withoutPath(err)
		}
		names = append(names, strings.TrimSuffix(string(b), "\n"))
	}
	return pieces(names), nil
}

// Collect implements Observer.
func (o *Peer) Collect(context.Context) (Report, error) {
	return o.book.report(channel.SinkPeer), nil
}

// Close implements Observer. What the agent left in the peer goes with it.
func (o *Peer) Close() error {
	o.leave()
	os.Remove(o.path("root" + o.file(ipcAgent)))
	return errors.Join(o.actor.close(), o.space().remove(ipcAgent|o.owner))
}
