package host

import (
	"os"

	"golang.org/x/sys/unix"
)

func kernel() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return "unknown"
	}
	return unix.ByteSliceToString(u.Release[:])
}

// cgroupVersion follows cgroups(7): the unified hierarchy has its controller
// list at the root of the mount, version 1 does not.
func cgroupVersion() int {
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		return 2
	}
	if _, err := os.Stat("/sys/fs/cgroup"); err == nil {
		return 1
	}
	return 0
}
