package observers

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// shmHeld is how much the shared memory of a process holds, in bytes. One
// that has none holds nothing.
func shmHeld(pid int) (int64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(fmt.Sprintf("/proc/%d/root/dev/shm", pid), &s)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, unix.Access(fmt.Sprintf("/proc/%d/root/dev", pid), unix.F_OK) // the process itself must be there
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize, err
}
