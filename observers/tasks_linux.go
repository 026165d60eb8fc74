package observers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// NewTasks reads what the kernel tells the host of the container's processes:
// their mounts, the id maps of their user namespaces, the deadlines of their
// threads, and the kinds of what they hold open. Its pilots are mounts in a
// namespace of its own, read by the same eyes.
func NewTasks(watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	return newLookout(channel.SinkTasks, pilots, false, spot{
		pilot: func(_ whereabouts, text string) (g glance, err error) {
			err = apart(func() error {
				if err := mountNamed(text); err != nil {
					return err
				}
				g, err = readTasks(watch, []string{"/proc/thread-self"})
				return err
			})
			return g, err
		},
		read: func(_ context.Context, w whereabouts) (glance, error) {
			members, err := members(w.pid)
			if err != nil {
				return glance{}, fmt.Errorf("listing the container's processes: %w", err)
			}
			return readTasks(watch, members)
		},
	}), nil
}

// mountNamed gives the calling thread a mount namespace in which one mount is
// called by a text. Nothing of it reaches the host's: it is made private first.
func mountNamed(text string) error {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("making a mount namespace for a pilot: %w", err)
	}
	if err := unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keeping a pilot's mount to itself: %w", err)
	}
	if err := unix.Mount(text, os.TempDir(), "tmpfs", 0, ""); err != nil {
		return errors.New("mounting a pilot: the kernel refuses")
	}
	return nil
}

// members are the directories in /proc of all processes in the cgroup of one,
// in the order of their numbers.
func members(pid int) ([]string, error) {
	dir, err := cgroupOf(pid)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, field := range strings.Fields(string(text)) {
		n, err := strconv.Atoi(field)
		if err != nil || n == 0 {
			return nil, errors.New("a member of a cgroup has no number here")
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	var dirs []string
	for _, n := range numbers {
		dirs = append(dirs, "/proc/"+strconv.Itoa(n))
	}
	return dirs, nil
}

// pidsRoot is the hierarchy in which containers are looked for: that of the
// processes controller, or the only one.
func pidsRoot() string {
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		return "/sys/fs/cgroup"
	}
	return "/sys/fs/cgroup/pids"
}

// cgroupOf is the directory of a process's cgroup.
func cgroupOf(pid int) (string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return "", err
	}
	root := pidsRoot()
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) == 3 && (parts[1] == "pids" || parts[1] == "" && root == "/sys/fs/cgroup") {
			return filepath.Join(root, parts[2]), nil
		}
	}
	return "", errors.New("a process is in no cgroup that is known")
}

// readTasks looks at all processes. One that ended meanwhile shows nothing.
func readTasks(watch *canary.Watch, dirs []string) (glance, error) {
	var g glance
	var numbers [][]byte // what is spelt by numbers, in two parts or more
	for _, dir := range dirs {
		n, err := readTask(watch, dir, &g)
		if err != nil && !vanished(err) {
			return g, fmt.Errorf("looking at a process: %w", err)
		}
		numbers = append(numbers, n...)
	}
	// Who was first has not always the lower number.
	onward := slices.Concat(numbers...)
	slices.Reverse(numbers)
	g.see(watch, onward)
	g.add(beyond(tally(watch.Scan(slices.Concat(numbers...))), tally(watch.Scan(onward))))
	return g, nil
}

func readTask(watch *canary.Watch, dir string, g *glance) (numbers [][]byte, err error) {
	mounts, err := os.ReadFile(dir + "/mountinfo")
	if errors.Is(err, unix.EINVAL) {
		return nil, fs.ErrNotExist // it is ending, and has left its namespaces (fs/proc_namespace.c)
	}
	if err != nil {
		return nil, err
	}
	g.see(watch, mounts)
	var ids []byte
	for _, kind := range []string{"/uid_map", "/gid_map"} {
		text, err := os.ReadFile(dir + kind)
		if err != nil {
			return numbers, err
		}
		ids = append(ids, mapped(string(text))...)
	}
	deadlines, err := readThreads(dir)
	if err != nil {
		return numbers, err
	}
	return append(deadlines, ids), readDescriptors(dir, g)
}

// mapped are the first numbers of an id map, without those of a namespace that
// maps everything to itself. It reads what the kernel wrote: "inside outside count".
func mapped(text string) (numbers []byte) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] == fields[1] {
			continue
		}
		if n, err := strconv.ParseUint(fields[0], 10, 32); err == nil {
			numbers = binary.BigEndian.AppendUint32(numbers, uint32(n))
		}
	}
	return numbers
}

// readThreads are the numbers of all threads with deadlines.
func readThreads(dir string) (numbers [][]byte, err error) {
	entries, err := os.ReadDir(dir + "/task")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a thread itself
	}
	for _, e := range entries {
		tid, err := strconv.Atoi(e.Name())
		if err != nil {
			return nil, err
		}
		if a, err := unix.SchedGetAttr(tid, 0); err == nil && a.Policy == unix.SCHED_DEADLINE {
			numbers = append(numbers, binary.BigEndian.AppendUint64(nil, spelt(a)))
		}
	}
	return numbers, err
}

// spelt puts together the bits of a deadline thread's three lengths, as far as
// they differ from round ones: 20 of its run time, 22 of each of the others.
func spelt(a *unix.SchedAttr) uint64 {
	return (a.Runtime-1_000_000)<<44 | (a.Deadline-1_500_000_000)&(1<<22-1)<<22 | (a.Period-2_000_000_000)&(1<<22-1)
}

// effects are what a process holds open where the kernel gave it something that
// it should have refused. There is no place in it for a canary.
var effects = map[string]channel.ID{
	"anon_inode:[userfaultfd]": channel.KernelUserfault,
	"anon_inode:[perf_event]":  channel.KernelPerf,
}

func readDescriptors(dir string, g *glance) error {
	entries, err := os.ReadDir(dir + "/fd")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if to, err := os.Readlink(dir + "/fd/" + e.Name()); err == nil && effects[to] != "" {
			g.add(map[channel.ID]int{effects[to]: 1})
		}
	}
	return nil
}
