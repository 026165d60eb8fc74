package observers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Limits are what the reference allows a container: more is seen.
type Limits struct {
	Pids   int64 // processes and threads at once
	Memory int64 // bytes
	Shm    int64 // bytes
}

// Cgroup reads the kernel's own counters of what a container took: the highest
// number of processes and the most memory there ever were, and what its shared
// memory holds.
//
// Nothing can be sent through a counter. A pilot is the container's PilotLabel
// for the watch, and for the counters that they agree with a second account of
// the kernel's: as many processes as it lists, or more in the past, and memory
// in use. That a counter rises with what it counts, the mutants of the limits
// prove in every campaign.
type Cgroup struct {
	api    *client.Client
	watch  *canary.Watch
	limits Limits
	book   *ledger
	id     string
	pid    int
	dirs   counters
}

var _ Living = (*Cgroup)(nil)

// NewCgroup prepares the observer; Enter names its container.
func NewCgroup(api *client.Client, limits Limits, watch *canary.Watch) *Cgroup {
	return &Cgroup{api: api, watch: watch, limits: limits, book: newLedger()}
}

// Enter implements Living.
func (o *Cgroup) Enter(container string, pid int) { o.id, o.pid = container, pid }

// Sink implements Observer.
func (o *Cgroup) Sink() channel.Sink { return channel.SinkCgroup }

// Pilot implements Observer.
func (o *Cgroup) Pilot(ctx context.Context, phase channel.ID) error {
	if phase != channel.PilotBefore && phase != channel.PilotAfter {
		return fmt.Errorf("%q is no phase of a trial", phase)
	}
	if !fullID.MatchString(o.id) {
		return errUnattached
	}
	o.book.pilot(phase, 1)
	if phase == channel.PilotBefore {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", o.pid))
		if err != nil {
			return fmt.Errorf("looking for a container's counters: %w", err)
		}
		if o.dirs, err = countersOf(string(text)); err != nil {
			return fmt.Errorf("looking for a container's counters: %w", err)
		}
	}
	c, err := o.api.ContainerInspect(ctx, o.id)
	if err != nil {
		return fmt.Errorf("looking for a container's label: %w", err)
	}
	alive, err := o.dirs.alive()
	if err != nil {
		return fmt.Errorf("reading a container's counters: %w", err)
	}
	if alive && knowsPilot(tally(o.watch.Scan([]byte(c.Config.Labels[PilotLabel])))) {
		o.book.found(map[channel.ID]int{phase: 1})
	}
	return nil
}

// Look implements Living.
func (o *Cgroup) Look(context.Context) error {
	u, err := o.dirs.usage()
	if err != nil {
		return fmt.Errorf("reading a container's counters: %w", err)
	}
	shm, err := shmHeld(o.pid)
	if err != nil {
		return fmt.Errorf("reading a container's shared memory: %w", err)
	}
	o.book.count(u.files+1, 0)
	for id, taken := range map[channel.ID]bool{
		channel.ResourcePids:   u.pids > o.limits.Pids+entering,
		channel.ResourceMemory: u.memory > o.limits.Memory+lastPages,
		channel.ResourceOOM:    u.stalled,
		channel.ResourceShm:    shm > o.limits.Shm,
	} {
		if taken {
			o.book.found(map[channel.ID]int{id: 1})
		}
	}
	return nil
}

// Collect implements Observer.
func (o *Cgroup) Collect(context.Context) (Report, error) {
	return o.book.report(channel.SinkCgroup), nil
}

// Close implements Observer.
func (o *Cgroup) Close() error { return nil }

// entering is how many processes the Engine may have in the container beyond
// the limit, as it looks after its health: the kernel refuses to make one more,
// but not to move one there.
const entering = 8

// lastPages is how much the kernel may give beyond a limit to a process that is
// being killed, so that it can end.
const lastPages = 4 << 20

const cgroupRoot = "/sys/fs/cgroup"

// counters are the directories with a container's counters. In version 2 of
// control groups they are the same.
type counters struct {
	pids, memory string
	unified      bool
}

// countersOf reads /proc/<pid>/cgroup: "id:controllers:path" lines, of which
// the one without controllers is of version 2.
func countersOf(text string) (counters, error) {
	var c counters
	var unified string
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 || !strings.HasPrefix(parts[2], "/") {
			return counters{}, errors.New("the kernel's list of control groups is not understood")
		}
		switch parts[1] {
		case "":
			unified = filepath.Join(cgroupRoot, parts[2])
		case "pids":
			c.pids = filepath.Join(cgroupRoot, "pids", parts[2])
		case "memory":
			c.memory = filepath.Join(cgroupRoot, "memory", parts[2])
		}
	}
	switch {
	case c.pids != "" && c.memory != "":
		return c, nil
	case c.pids == "" && c.memory == "" && unified != "":
		return counters{unified, unified, true}, nil
	}
	return counters{}, errors.New("processes and memory are not counted in the same version of control groups")
}

// usage is the most that a container ever took.
type usage struct {
	pids, memory int64
	stalled      bool // it came to its limit of memory, and nothing was killed for it
	files        int  // read
}

func (c counters) usage() (usage, error) {
	var u usage
	var errs []error
	read := func(dir, file, key string) int64 {
		n, err := counter(filepath.Join(dir, file), key)
		errs = append(errs, err)
		u.files++
		return n
	}
	u.pids = read(c.pids, "pids.peak", "") // Linux 6.1
	if c.unified {
		u.memory = read(c.memory, "memory.peak", "") // Linux 5.19
		return u, errors.Join(errs...)               // the killing cannot be turned off there
	}
	u.memory = read(c.memory, "memory.max_usage_in_bytes", "")
	killed := read(c.memory, "memory.oom_control", "oom_kill")
	limit := read(c.memory, "memory.limit_in_bytes", "")
	// The most may also be what files took for a moment and gave back.
	spares := read(c.memory, "memory.oom_control", "oom_kill_disable")
	u.stalled = spares == 1 && killed == 0 && u.memory >= limit
	return u, errors.Join(errs...)
}

// unnoted is how many processes the kernel may have missed when it noted the
// most that there were: it does that without a lock.
const unnoted = 8

// alive reports whether the counters agree with what the kernel lists of the
// running container: no fewer processes at most than there are, and memory.
func (c counters) alive() (bool, error) {
	list, current := "tasks", "memory.usage_in_bytes"
	if c.unified {
		list, current = "cgroup.threads", "memory.current"
	}
	text, err := os.ReadFile(filepath.Join(c.pids, list))
	if err != nil {
		return false, withoutPath(err)
	}
	u, err := c.usage()
	if err != nil {
		return false, err
	}
	memory, err := counter(filepath.Join(c.memory, current), "")
	if err != nil {
		return false, err
	}
	listed := int64(strings.Count(string(text), "\n"))
	return listed > 0 && u.pids+unnoted >= listed && memory > 0 && u.memory >= memory/2, nil
}

// counter reads the number in a file, or the one behind a key in it.
func counter(path, key string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, withoutPath(err)
	}
	n, err := counterIn(string(text), key)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return n, nil
}

var errCounter = errors.New("it holds no number")

func counterIn(text, key string) (int64, error) {
	for line := range strings.Lines(text) {
		value := strings.Fields(line)
		if key != "" && len(value) == 2 && value[0] == key {
			value = value[1:]
		}
		if len(value) != 1 || value[0] == key {
			continue
		}
		n, err := strconv.ParseInt(value[0], 10, 64)
		if err != nil || n < 0 {
			return 0, errCounter
		}
		return n, nil
	}
	return 0, errCounter
}
