package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/fixtures/intrusion"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/frame"
	"postern/observers"
	"postern/reports"
)

// afterlife is how long the processes of a gateway that was killed have to go.
// Those that do take milliseconds.
const afterlife = 2 * time.Second

// intruded has a gateway, in a process and a terminal of its own, start a hostile
// tool server, and kills it. Who is left is then asked to answer.
func (t *trial) intruded(ctx context.Context, s spawnState) (err error) {
	if err := syscall.Mkfifo(t.grounds.asks, 0o600); err != nil {
		return fmt.Errorf("making the pipe that asks who is left: %w", err)
	}
	asks, err := os.OpenFile(t.grounds.asks, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("opening the pipe that asks who is left: %w", err)
	}
	defer asks.Close() // which ends whoever was not asked
	config, err := t.hostile(ctx, s)
	if err != nil {
		return err
	}
	terminal := []observers.Observer{t.posts.terminal}
	if err := t.posts.pilots(ctx, channel.PilotBefore, terminal); err != nil {
		return err
	}
	g, err := t.beginCalls(ctx, config)
	if err != nil {
		return err
	}
	defer g.end()
	answer, err := g.answer()
	if err != nil {
		return err
	}
	if t.spec.Kind != Mutation && answer.Refused != s.Refused {
		return errors.New("the reference decided for another reason than this state has")
	}
	if answer.Opened && s.Refused == "" {
		if err := t.legally(g); err != nil {
			return err
		}
	}
	if err := t.posts.pilots(ctx, channel.PilotAfter, terminal); err != nil {
		return err
	}
	left, err := g.kill()
	if err != nil {
		return err
	}
	if left > 0 {
		if _, err := asks.Write(make([]byte, left)); err != nil {
			return fmt.Errorf("asking who is left: %w", err)
		}
	}
	t.row.Outcome = string(bridge.Completed)
	return errors.Join(t.tried(), t.collect(ctx, terminal))
}

// hostile is the subject whose tool server tries everything, in the state in
// which it is to be started.
func (t *trial) hostile(ctx context.Context, s spawnState) (gateway.Config, error) {
	c := t.subject()
	if err := enrolAs(ctx, !s.Optional, t.dir, &c.Upstream, filepath.Dir(t.posts.tool.Addr())); err != nil {
		return c, err
	}
	orders, err := t.orders().Variable()
	if err != nil {
		return c, err
	}
	c.Upstream.Env = append(c.Upstream.Env, orders)
	if s.Change != nil {
		s.Change(&c)
	}
	return c, nil
}

func (t *trial) orders() intrusion.Orders {
	g := t.grounds
	o := intrusion.Orders{Report: g.report}
	try := func(id channel.ID, does intrusion.Deed, at, to string) {
		text := ""
		if id != channel.GuardSecret && id != channel.GuardArguments { // which it has to find by itself
			text = t.canaries.planted(id)
		}
		o.Acts = append(o.Acts, intrusion.Act{Channel: id, Does: does, At: at, To: to, Text: text})
	}
	for _, secret := range g.secrets {
		try(channel.GuardSecret, intrusion.Copy, secret, g.outbox+"/secrets")
	}
	try(channel.GuardFile, intrusion.Write, g.documents+"/letter", "")
	try(channel.GuardAutostart, intrusion.Write, g.autostart+"/program.desktop", "")
	try(channel.GuardListener, intrusion.Connect, t.posts.addresses[channel.GuardListener], "tcp4")
	try(channel.GuardSocket, intrusion.Connect, g.socket, "unix")
	try(channel.GuardTerminal, intrusion.Write, "/dev/tty", "")
	try(channel.GuardKeyring, intrusion.Key, "server", "")
	try(channel.GuardArguments, intrusion.Seek, t.posts.addresses[channel.GuardArguments], g.notes+"/arguments")
	try(channel.GuardSegment, intrusion.Share, t.posts.addresses[channel.GuardSegment], "")
	try(channel.GuardProcess, intrusion.Stay, g.answers, g.asks)
	return o
}

// legally makes the one call that nothing forbids: a server that is confined must
// still serve.
func (t *trial) legally(g *calls) error {
	text, err := jsontext.AppendQuote([]byte(`{"text":`), t.canaries.planted(channel.ToolPermitted))
	if err != nil {
		return errors.New("a canary is no text")
	}
	if err := g.call(frame.Call{Operation: "deliver", Arguments: append(text, '}')}); err != nil {
		return err
	}
	answer, err := g.answer()
	if err == nil && answer.Code != "" {
		err = errors.New("the legal call was refused")
	}
	t.row.Attempts = append(t.row.Attempts, reports.Attempt{Channel: string(channel.ToolPermitted)})
	return err
}

// tried takes in what the server reports of its acts: numbers, and channels that
// were planned.
func (t *trial) tried() error {
	content, err := os.ReadFile(t.grounds.report)
	if err != nil {
		return fmt.Errorf("reading a tool server's report: %w", err)
	}
	seen := map[channel.ID]bool{}
	for line := range strings.Lines(string(content)) {
		word, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		errno, err := strconv.Atoi(number)
		if id := channel.ID(word); err == nil && slices.Contains(t.spec.Expect.Probes, id) && !seen[id] {
			seen[id] = true
			t.row.Attempts = append(t.row.Attempts, reports.Attempt{Channel: word, Errno: max(errno, 0)})
		}
	}
	return nil
}

// calls is a process that serves the calls of a gateway.
type calls struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

func (t *trial) beginCalls(ctx context.Context, c gateway.Config) (*calls, error) {
	terminal, err := os.OpenFile(t.posts.terminal.Path(), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, fmt.Errorf("starting a gateway: %w", err)
	}
	defer terminal.Close()
	g := &calls{cmd: exec.CommandContext(ctx, t.binaries.Gateway, gateway.CallsCommand)}
	g.cmd.Stderr = terminal
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2}
	if g.in, err = g.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting a gateway: %w", err)
	}
	out, err := g.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting a gateway: %w", err)
	}
	g.out = json.NewDecoder(bufio.NewReader(out))
	if err := t.posts.inside(g.cmd.Start); err != nil {
		return nil, fmt.Errorf("starting a gateway: %w", err)
	}
	if err := json.NewEncoder(g.in).Encode(c); err != nil {
		g.end()
		return nil, fmt.Errorf("ordering a gateway: %w", err)
	}
	return g, nil
}

func (g *calls) call(c frame.Call) error {
	if err := json.NewEncoder(g.in).Encode(c); err != nil {
		return fmt.Errorf("calling a gateway: %w", err)
	}
	return nil
}

func (g *calls) answer() (a gateway.Answer, err error) {
	if err := g.out.Decode(&a); err != nil {
		return a, errors.New("a gateway did not answer")
	}
	return a, nil
}

// kill ends the process as nothing that it could prepare for, and counts those
// below it that are still there when they had time to go.
func (g *calls) kill() (left int, err error) {
	var below []int
	defer func() {
		for _, fd := range below {
			unix.Close(fd)
		}
	}()
	for _, pid := range descendants(g.cmd.Process.Pid) {
		fd, err := unix.PidfdOpen(pid, 0)
		if errors.Is(err, unix.ESRCH) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("taking hold of a gateway's process: %w", err)
		}
		below = append(below, fd)
	}
	g.end()
	until := time.Now().Add(afterlife)
	for _, fd := range below {
		for {
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, max(0, int(time.Until(until).Milliseconds())))
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil {
				return 0, fmt.Errorf("waiting for a gateway's processes: %w", err)
			}
			if n == 0 {
				left++
			}
			break
		}
	}
	return left, nil
}

func (g *calls) end() {
	g.cmd.Process.Kill()
	g.in.Close()
	g.cmd.Wait() // how it ended does not matter: it was killed
}

// descendants are the processes below one, all the way down.
func descendants(pid int) []int {
	var all []int
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for child := range bytes.FieldsSeq(children) {
			if n, err := strconv.Atoi(string(child)); err == nil {
				all = append(append(all, n), descendants(n)...)
			}
		}
	}
	return all
}
