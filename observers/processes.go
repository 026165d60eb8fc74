package observers

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// cgroups is where the kernel's groups of processes are mounted.
const cgroups = "/sys/fs/cgroup"

// processesOf lists the processes of the container whose first process is
// pid, in the host's numbering: those of its cgroup.
func processesOf(pid int) ([]int, error) {
	if pid <= 0 {
		return nil, errUnattached
	}
	groups, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cgroup"))
	if err != nil {
		return nil, withoutPath(err)
	}
	dir := groupDirectory(string(groups))
	if dir == "" {
		return nil, errors.New("the first process is in no cgroup that counts processes")
	}
	members, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return nil, withoutPath(err)
	}
	var pids []int
	for _, field := range strings.Fields(string(members)) {
		member, err := strconv.Atoi(field)
		if err != nil {
			return nil, errors.New("a cgroup lists a process without a number")
		}
		pids = append(pids, member)
	}
	if len(pids) == 0 {
		return nil, errors.New("the container has no process")
	}
	return pids, nil
}

// groupDirectory reads /proc/<pid>/cgroup: version 1 by the pids controller,
// else the one hierarchy of version 2.
func groupDirectory(groups string) string {
	dir := ""
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		switch {
		case len(parts) != 3:
		case parts[1] == "pids":
			return filepath.Join(cgroups, "pids", parts[2])
		case parts[0] == "0" && parts[1] == "" && parts[2] != "/":
			dir = filepath.Join(cgroups, parts[2])
		}
	}
	return dir
}
