package confine

import (
	"fmt"
	"slices"
	"strings"
)

// weakMounts reads mountinfo (proc_pid_mountinfo(5)): a read-only root, the
// kernel's dangerous files covered, and nothing else but what the Engine
// mounts into every container.
func weakMounts(mountinfo string) []Control {
	var weak []Control
	var root, settings, masks bool
	for line := range strings.Lines(mountinfo) {
		m, ok := readMount(line)
		point, readonly, kind := m.point, m.readonly, m.kind
		switch {
		case !ok:
			weak = append(weak, Unrecognised)
		case point == "/":
			root = readonly
		case usualMount(point):
			settings = settings || point == "/proc/sys" && readonly
			masks = masks || point == "/proc/keys" || point == "/sys/firmware"
		case enginesFile(point):
			if !readonly {
				weak = append(weak, RootReadonly)
			}
		case point == "/dev/console":
			weak = append(weak, TTYOff)
		case point == "/sbin/docker-init":
			weak = append(weak, InitOff)
		case kind == "tmpfs" && m.root == "/":
			weak = append(weak, TmpfsNone)
		case strings.Contains(m.root, "/volumes/") && strings.HasSuffix(m.root, "/_data"):
			weak = append(weak, VolumesNone) // or another container's
		default:
			weak = append(weak, BindsNone)
		}
	}
	if !root {
		weak = append(weak, RootReadonly)
	}
	if !settings {
		weak = append(weak, PathsReadonly)
	}
	if !masks { // of the masked paths, these exist on any kernel with keys or firmware
		weak = append(weak, PathsMasked)
	}
	return weak
}

// mounted is one line of mountinfo.
type mounted struct {
	root, point string // in the file system, in the container
	readonly    bool
	kind        string // of the file system
	options     []string
}

// readMount reads "id parent dev ROOT POINT OPTIONS [optional...] - TYPE source OPTIONS".
func readMount(line string) (m mounted, ok bool) {
	before, after, found := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
	left, right := strings.Fields(before), strings.Fields(after)
	if !found || len(left) < 6 || len(right) < 1 {
		return mounted{}, false
	}
	m = mounted{root: left[3], point: left[4], readonly: slices.Contains(strings.Split(left[5], ","), "ro"), kind: right[0]}
	if len(right) > 2 {
		m.options = strings.Split(right[2], ",")
	}
	return m, true
}

// weakShm wants /dev/shm to be of the profile's size. The host's, shared, is
// of the host's size and another control's.
func weakShm(want Profile, p Process) []Control {
	size := want.ShmSize
	if size == 0 {
		size = 64 << 20 // the Engine's
	}
	for line := range strings.Lines(p.Mounts) {
		m, ok := readMount(line)
		if ok && m.point == "/dev/shm" && !slices.Contains(p.Host["ipc"], p.Namespaces["ipc"]) &&
			!slices.Contains(m.options, fmt.Sprintf("size=%dk", size>>10)) {
			return []Control{ShmDefault}
		}
	}
	return nil
}

// usualMount knows the kernel's own file systems; the Engine refuses to mount
// anything of a user's below /proc, and masks with mounts below it and /sys.
func usualMount(point string) bool {
	switch point {
	case "/proc", "/dev", "/dev/pts", "/dev/mqueue", "/dev/shm", "/sys":
		return true
	}
	return strings.HasPrefix(point, "/proc/") || strings.HasPrefix(point, "/sys/")
}

// enginesFile knows the three files that the Engine writes for a container.
func enginesFile(point string) bool {
	return point == "/etc/resolv.conf" || point == "/etc/hostname" || point == "/etc/hosts"
}
