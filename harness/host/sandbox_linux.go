package host

import "golang.org/x/sys/unix"

// landlock is the version of the kernel's Landlock. Asked for it, the call makes
// no rule set; where Landlock is off or not there, it fails.
func landlock() int {
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(n)
}
