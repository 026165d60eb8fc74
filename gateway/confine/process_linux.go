package confine

import (
	"errors"
	"fmt"
	"os"
	"strconv"
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
	p := Process{Container: container, Namespaces: map[string]string{}, Host: map[string][]string{}}
	for name, into := range map[string]*string{
		"status": &p.Status, "cgroup": &p.Cgroup, "limits": &p.Limits, "mountinfo": &p.Mounts,
	} {
		text, err := dir.ReadFile(name)
		if err != nil {
			return Process{}, fmt.Errorf("reading %s of the process: %w", name, err)
		}
		*into = string(text)
	}
	parent, err := parentOf(p.Status)
	if err != nil {
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
