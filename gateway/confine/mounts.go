package confine

import (
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
		point, readonly, kind, ok := mount(line)
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
		case kind == "tmpfs":
			weak = append(weak, TmpfsNone)
		default:
			weak = append(weak, BindsNone) // or a volume: no telling from here
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

// mount reads one line: "id parent dev root POINT OPTIONS [optional...] - TYPE source options".
func mount(line string) (point string, readonly bool, kind string, ok bool) {
	before, after, found := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
	left, right := strings.Fields(before), strings.Fields(after)
	if !found || len(left) < 6 || len(right) < 1 {
		return "", false, "", false
	}
	return left[4], slices.Contains(strings.Split(left[5], ","), "ro"), right[0], true
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
