package cell

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"postern/gateway/confine"
	"postern/gateway/confine/bubblewrap"
)

// Cell is what one agent runs in.
type Cell struct {
	plan    Plan
	id      string
	cgroups []string
	cmd     *exec.Cmd
	first   int // the agent's process, in the host's numbering
	held    int // a pidfd of it
	block   *os.File
	status  *os.File
	streams *streams
	gone    chan struct{} // closed when bwrap is
}

// makeBound is far above what making a cell takes: some 20 ms measured.
const makeBound = 20 * time.Second

// Create makes a cell, in which nothing of the agent's runs yet. What it was made
// of it removes where it fails.
func Create(ctx context.Context, plan Plan) (c *Cell, err error) {
	name := make([]byte, 32)
	rand.Read(name)
	c = &Cell{plan: plan, id: hex.EncodeToString(name), held: -1, gone: make(chan struct{})}
	options, err := Render(plan.Profile, plan.Root, c.id, look)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, makeBound)
	defer cancel()
	defer func() {
		if err != nil {
			over, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeBound)
			defer cancel()
			err = errors.Join(err, c.Remove(over))
		}
	}()
	if err := plan.points(); err != nil {
		return c, err
	}
	if c.cgroups, err = makeCgroups(c.id, plan.Profile); err != nil {
		return c, err
	}
	if err := c.launch(options); err != nil {
		return c, err
	}
	return c, c.awaitBlocked(ctx)
}

func look(place string) (fs.FileMode, bool) {
	info, err := os.Stat(place)
	if err != nil {
		return 0, false
	}
	return info.Mode(), true
}

// points makes the places of mounts in the root, which bwrap sees read-only.
func (p Plan) points() error {
	all, _ := binds(p.Profile)
	for place := range p.Profile.Tmpfs {
		all = append(all, bind{"/", place, false})
	}
	for _, b := range append(all, bind{"/", "/proc", true}, bind{"/", "/dev", true}) {
		at := filepath.Join(p.Root, b.target)
		if mode, _ := look(b.source); !mode.IsDir() {
			f, err := os.OpenFile(at, os.O_CREATE|os.O_RDONLY, 0o644)
			if err != nil {
				return fmt.Errorf("making a place of a cell: %w", err)
			}
			f.Close()
			continue
		}
		if err := os.MkdirAll(at, 0o755); err != nil {
			return fmt.Errorf("making a place of a cell: %w", err)
		}
	}
	return nil
}

// launch starts the stage, which becomes bwrap.
func (c *Cell) launch(options []string) error {
	order, err := c.orders(options)
	if err != nil {
		return err
	}
	filter, err := bubblewrap.Filter()
	if err != nil {
		return err
	}
	files, err := bubblewrap.InMemory(order, filter)
	if err != nil {
		return err
	}
	defer files[0].Close()
	defer files[1].Close()
	var blocked, told *os.File
	if blocked, c.block, err = os.Pipe(); err != nil {
		return fmt.Errorf("making a pipe to a cell: %w", err)
	}
	defer blocked.Close()
	if c.status, told, err = os.Pipe(); err != nil {
		return fmt.Errorf("making a pipe to a cell: %w", err)
	}
	defer told.Close()
	// exec.Cmd puts ExtraFiles at 3 and up; nothing else must be open in a cell.
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("withholding descriptors: %w", err)
	}
	c.cmd = exec.Command(c.plan.Stage[0], c.plan.Stage[1:]...)
	c.cmd.Env, c.cmd.Dir = []string{}, "/"
	c.cmd.ExtraFiles = []*os.File{files[0], blocked, told, files[1]}
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if c.streams, err = newStreams(c.cmd); err != nil {
		return err
	}
	defer c.streams.handOver()
	started := make(chan error)
	go c.supervise(started)
	if err := <-started; err != nil {
		c.cmd = nil
		return fmt.Errorf("starting bubblewrap: %w", err)
	}
	return nil
}

// supervise starts bwrap and stays on its thread until the end: the kernel sends
// the signal of --die-with-parent when the thread that forked ends.
func (c *Cell) supervise(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.cmd.Start(); err != nil {
		started <- err
		return
	}
	started <- nil
	c.cmd.Wait() // what is to be known of the end is in its state
	close(c.gone)
}

// orders are what the stage is told.
func (c *Cell) orders(options []string) ([]byte, error) {
	p := c.plan.Profile
	o := orders{Cgroups: c.cgroups, OOMScore: p.OOMScore, Groups: numbers(p.Groups)}
	if !p.Core.Omit {
		o.Limits = append(o.Limits, limit{Resource: unix.RLIMIT_CORE})
	}
	if uid, gid, err := confine.NumericUser(p.User); err == nil {
		o.UID, o.GID = int(uid), int(gid)
	}
	command := p.Command
	if len(command) == 0 {
		command = c.plan.Command
	}
	o.Arguments = slices.Concat([]string{c.plan.Bwrap, "--block-fd", strconv.Itoa(blockFD), "--json-status-fd", strconv.Itoa(statusFD)}, options)
	if p.Seccomp == "" {
		o.Arguments = append(o.Arguments, "--seccomp", strconv.Itoa(filterFD))
	}
	o.Arguments = append(append(o.Arguments, "--"), command...)
	text, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("writing what is to be done: %w", err)
	}
	return text, nil
}

// awaitBlocked waits until bwrap has made the sandbox, and waits for a word in it.
func (c *Cell) awaitBlocked(ctx context.Context) error {
	var says struct {
		Child int `json:"child-pid"`
	}
	c.status.SetReadDeadline(time.Now().Add(makeBound))
	if err := json.NewDecoder(c.status).Decode(&says); err != nil || says.Child <= 1 {
		return errors.New("making a cell: bubblewrap made none")
	}
	c.first = says.Child
	var err error
	if c.held, err = unix.PidfdOpen(c.first, 0); err != nil {
		return fmt.Errorf("taking hold of a cell's first process: %w", err)
	}
	waits := fmt.Sprintf("%d %#x ", unix.SYS_READ, blockFD)
	for {
		doing, err := os.ReadFile("/proc/" + strconv.Itoa(c.first) + "/syscall")
		if err != nil {
			return errors.New("making a cell: bubblewrap made none")
		}
		if strings.HasPrefix(string(doing), waits) {
			return nil
		}
		if err := again(ctx); err != nil {
			return fmt.Errorf("making a cell: %w", err)
		}
	}
}

// ID names the cell: its cgroups bear that name.
func (c *Cell) ID() string { return c.id }

// Start lets the agent's program run.
func (c *Cell) Start(context.Context) error {
	_, err := c.block.Write([]byte{0})
	if err = errors.Join(err, c.block.Close()); err != nil {
		return fmt.Errorf("starting an agent: %w", err)
	}
	return nil
}

// Wait waits until the cell does not run, and gives the agent's exit code: 128
// and the number of the signal where one ended it.
func (c *Cell) Wait(ctx context.Context) (int, error) {
	select {
	case <-c.gone:
	case <-ctx.Done():
		return 0, fmt.Errorf("waiting for a cell: %w", ctx.Err())
	}
	for _, dir := range c.cgroups { // who shares the host's processes may have left some
		if err := empty(ctx, dir); err != nil {
			return 0, err
		}
	}
	state := c.cmd.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return state.ExitCode(), nil
}

// Running reports whether any process of the cell does.
func (c *Cell) Running(context.Context) (bool, error) {
	select {
	case <-c.gone:
		return false, nil
	default:
		return true, nil
	}
}

// Kill ends every process of the cell at once.
func (c *Cell) Kill(ctx context.Context) error {
	if c.held >= 0 {
		unix.PidfdSendSignal(c.held, unix.SIGKILL, nil, 0) // one that is gone is what is wanted
	}
	for _, dir := range c.cgroups {
		if err := empty(ctx, dir); err != nil {
			return err
		}
	}
	return nil
}

// Remove ends the cell in any state, and takes away what it was made of.
func (c *Cell) Remove(ctx context.Context) error {
	err := c.Kill(ctx)
	if c.cmd != nil {
		select {
		case <-c.gone:
		case <-ctx.Done():
			return errors.Join(err, fmt.Errorf("removing a cell: %w", ctx.Err()))
		}
	}
	if c.held >= 0 {
		unix.Close(c.held)
		c.held = -1
	}
	for _, f := range []*os.File{c.block, c.status} {
		if f != nil {
			f.Close()
		}
	}
	if c.streams != nil {
		c.streams.close()
	}
	return errors.Join(err, discard(ctx, c.cgroups))
}

// Attach joins the agent's standard streams.
func (c *Cell) Attach() confine.Attached {
	return confine.Attached{Stdin: c.streams.stdin, Output: c.streams.output, Close: c.streams.close}
}
