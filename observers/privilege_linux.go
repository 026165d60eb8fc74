package observers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

// Privilege reads what the host's kernel says of the processes in the
// container's cgroup. The canary of a channel counts where it is the command
// line of a process that has what the channel is about: another user, a
// capability, a group.
type Privilege struct {
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	actor  *actor // holds the pilots
	cgroup string // the file that lists the container's processes
	pid    int
}

var _ Living = (*Privilege)(nil)

// NewPrivilege prepares the observer. The program is the agent's.
func NewPrivilege(program string, watch *canary.Watch, pilots Pilots) (*Privilege, error) {
	a, err := showing(context.Background(), program, 0)
	if err != nil {
		return nil, fmt.Errorf("starting the privilege observer: %w", err)
	}
	return &Privilege{watch: watch, pilots: pilots, book: newLedger(), actor: a}, nil
}

// Enter implements Living.
func (o *Privilege) Enter(_ string, pid int) { o.pid = pid }

// Sink implements Observer.
func (o *Privilege) Sink() channel.Sink { return channel.SinkPrivilege }

// Pilot implements Observer: a process of ours with the pilot as its command
// line, which is read as the container's are.
func (o *Privilege) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	if err := o.actor.show(plan.Probe{Canary: text}); err != nil {
		return fmt.Errorf("piloting the privileges of processes: %w", err)
	}
	if err := o.process(o.actor.cmd.Process.Pid); err != nil {
		return fmt.Errorf("piloting the privileges of processes: %w", err)
	}
	return nil
}

// Look implements Living.
func (o *Privilege) Look(context.Context) error {
	list, err := cgroupProcesses(o.pid)
	if err != nil {
		return fmt.Errorf("listing the container's processes: %w", err)
	}
	if !slices.Contains(list, o.pid) {
		return errors.New("listing the container's processes: its first one is not there")
	}
	for _, pid := range list {
		if err := o.process(pid); err != nil && !vanished(err) {
			return fmt.Errorf("reading a process of the container: %w", err)
		}
	}
	return nil
}

// process counts the canaries on one command line that its process entitles to.
func (o *Privilege) process(pid int) error {
	dir := "/proc/" + strconv.Itoa(pid) + "/"
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		return withoutPath(err)
	}
	line, err := os.ReadFile(dir + "cmdline")
	if err != nil {
		return withoutPath(err)
	}
	seen := tally(o.watch.Scan(line))
	for id := range seen {
		if !became(id, string(status)) {
			delete(seen, id)
		}
	}
	o.book.read(int64(len(status)+len(line)), seen)
	return nil
}

// Collect implements Observer.
func (o *Privilege) Collect(context.Context) (Report, error) {
	return o.book.report(channel.SinkPrivilege), nil
}

// Close implements Observer.
func (o *Privilege) Close() error { return o.actor.close() }

// cgroupProcesses lists the processes in the cgroup of one, in the host's
// numbering: of version 1 the hierarchy that counts processes.
func cgroupProcesses(pid int) ([]int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return nil, withoutPath(err)
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 || parts[1] != "pids" && parts[1] != "" {
			continue
		}
		list, err := os.ReadFile("/sys/fs/cgroup/" + parts[1] + parts[2] + "/cgroup.procs")
		if err != nil {
			continue // version 2 beside version 1 has no processes
		}
		var all []int
		for _, n := range strings.Fields(string(list)) {
			p, err := strconv.Atoi(n)
			if err != nil {
				return nil, errors.New("a number of a process is none")
			}
			all = append(all, p)
		}
		return all, nil
	}
	return nil, errors.New("its cgroup is not to be read")
}
