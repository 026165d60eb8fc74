package confine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ReadProcess gathers what AdmitProcess needs of the process with this pid in
// the host's numbering. It reads namespaces of other users' processes, for
// which it must be root. The directory stays open meanwhile, so that a pid
// which is used again cannot answer for the one that died.
func ReadProcess(pid int, container string) (Process, error) {
	dir, err := os.OpenRoot("/proc/" + strconv.Itoa(pid))
	if err != nil {
		return Process{}, fmt.Errorf("opening the process directory: %w", err)
	}
	defer dir.Close()
	if err := executed(dir); err != nil {
		return Process{}, err
	}
	return read(dir, pid, container)
}

// ReadWaiting is the same of a process that has not executed its program yet.
func ReadWaiting(pid int, container string) (Process, error) {
	dir, err := os.OpenRoot("/proc/" + strconv.Itoa(pid))
	if err != nil {
		return Process{}, fmt.Errorf("opening the process directory: %w", err)
	}
	defer dir.Close()
	return read(dir, pid, container)
}

func read(dir *os.Root, pid int, container string) (Process, error) {
	var err error
	p := Process{Container: container, Namespaces: map[string]string{}, Host: map[string][]string{}}
	if p.Nodes, err = nodes(pid); err != nil { // first, by a path that what follows finds to be still the same process's
		return Process{}, err
	}
	for name, into := range map[string]*string{
		"status": &p.Status, "cgroup": &p.Cgroup, "limits": &p.Limits, "mountinfo": &p.Mounts,
		"net/route": &p.Routes, "oom_score_adj": &p.OOMScore, "environ": &p.Environment,
	} {
		text, err := dir.ReadFile(name)
		if err != nil {
			return Process{}, fmt.Errorf("reading %s of the process: %w", name, err)
		}
		*into = string(text)
	}
	if text, err := dir.ReadFile("net/ipv6_route"); err == nil {
		p.Routes6 = string(text)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Process{}, fmt.Errorf("reading the routes of the process: %w", err)
	}
	parent, err := parentOf(p.Status)
	if err != nil {
		return Process{}, err
	}
	limits, err := os.ReadFile("/proc/" + parent + "/limits")
	if err != nil {
		return Process{}, fmt.Errorf("reading the limits of the process's parent: %w", err)
	}
	p.ParentLimits = string(limits)
	if p.CgroupFiles, p.ParentCgroupFiles, err = cgroups(p.Cgroup); err != nil {
		return Process{}, err
	}
	for kind := range namespaces() {
		if p.Namespaces[kind], err = dir.Readlink("ns/" + kind); err != nil {
			return Process{}, fmt.Errorf("reading the %s namespace of the process: %w", kind, err)
		}
		for _, host := range []string{"self", parent} {
			link, err := os.Readlink("/proc/" + host + "/ns/" + kind)
			if err != nil {
				return Process{}, fmt.Errorf("reading the %s namespace of the host: %w", kind, err)
			}
			p.Host[kind] = append(p.Host[kind], link)
		}
	}
	return p, nil
}

// parentOf is the process that started a container's first one, the Engine's
// shim: what it does not take away, the container shares with it.
func parentOf(status string) (string, error) {
	parent := fields(status)["PPid"]
	if n, err := strconv.Atoi(parent); err != nil || n < 1 {
		return "", errors.New("finding the parent of the process: none in this PID namespace")
	}
	return parent, nil
}

// startBound is far above what runc takes from the Engine's word that a
// container runs to its program: a moment, and less than a second under load.
const startBound = 5 * time.Second

// executed waits until the process is the agent's program. The Engine says
// that a container runs when runc is still in it, which then sets the filter
// of system calls, drops its own environment and executes the program.
func executed(dir *os.Root) error {
	for end := time.Now().Add(startBound); ; time.Sleep(time.Millisecond) {
		name, err := dir.ReadFile("comm")
		environment, err2 := dir.ReadFile("environ") // empty in the middle of execve(2)
		switch {
		case err != nil || err2 != nil:
			return fmt.Errorf("reading the name and environment of the process: %w", errors.Join(err, err2))
		case !strings.HasPrefix(string(name), "runc:[") && len(environment) > 0:
			return nil
		case time.Now().After(end):
			return errors.New("waiting for the container's program to be executed: it was not")
		}
	}
}

// nodes lists the device nodes in the process's /dev.
func nodes(pid int) ([]string, error) {
	dir := "/proc/" + strconv.Itoa(pid) + "/root/dev"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the devices of the process: %w", err)
	}
	var out []string
	for _, e := range entries {
		if e.Type()&fs.ModeDevice == 0 {
			continue
		}
		var st unix.Stat_t
		if err := unix.Lstat(filepath.Join(dir, e.Name()), &st); err != nil {
			return nil, fmt.Errorf("reading a device of the process: %w", err)
		}
		kind := "b"
		if e.Type()&fs.ModeCharDevice != 0 {
			kind = "c"
		}
		out = append(out, fmt.Sprintf("%s %d:%d", kind, unix.Major(st.Rdev), unix.Minor(st.Rdev)))
	}
	return out, nil
}

// cgroups reads the files of a process's own cgroups and of those above. What
// is not there is left out.
func cgroups(cgroup string) (own, parent map[string]string, err error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, nil, fmt.Errorf("looking where cgroups are mounted: %w", err)
	}
	own, parent = map[string]string{}, map[string]string{}
	for line := range strings.Lines(cgroup) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 || !filepath.IsAbs(parts[2]) || strings.Contains(parts[2], "..") {
			continue // refused by inOwnCgroup
		}
		for controller := range strings.SplitSeq(parts[1], ",") {
			top := cgroupMount(string(mounts), controller)
			if top == "" {
				continue
			}
			for _, name := range cgroupFiles(cgroupVersion(cgroup))[controller] {
				if text, err := os.ReadFile(filepath.Join(top, parts[2], name)); err == nil {
					own[name] = string(text)
				}
				if text, err := os.ReadFile(filepath.Join(top, filepath.Dir(parts[2]), name)); err == nil {
					parent[name] = string(text)
				}
			}
		}
	}
	return own, parent, nil
}

// CgroupMount is where a controller's hierarchy is mounted whole on this host;
// the empty one is version 2's. Empty where it is not.
func CgroupMount(controller string) string {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	return cgroupMount(string(mounts), controller)
}

// ReadCgroups reads what the files of some cgroups say that WeakLimits looks at.
// What is not there is left out.
func ReadCgroups(dirs []string) map[string]string {
	files := map[string]string{}
	for _, dir := range dirs {
		for _, name := range []string{"pids.max", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.max", "memory.swap.max"} {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				files[name] = string(text)
			}
		}
	}
	return files
}

// cgroupMount is where a controller's hierarchy is mounted whole; the empty
// one is version 2's.
func cgroupMount(mounts, controller string) string {
	for line := range strings.Lines(mounts) {
		m, ok := readMount(line)
		switch {
		case !ok || m.root != "/":
		case controller == "" && m.kind == "cgroup2", m.kind == "cgroup" && slices.Contains(m.options, controller):
			return m.point
		}
	}
	return ""
}
