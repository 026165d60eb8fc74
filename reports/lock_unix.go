//go:build unix

package reports

import (
	"io/fs"
	"os"
	"syscall"
)

// lock takes the directory for this process, and reports false where another
// one has it. The kernel lets go of it when the process ends, however it ends.
func lock(dir *os.File) (bool, error) {
	err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

// trusted reports whether only this user could have put anything there.
func trusted(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}

// onOtherDevice reports whether a directory is a mount point of another device.
func onOtherDevice(above, info fs.FileInfo) bool {
	a, ok := above.Sys().(*syscall.Stat_t)
	i, also := info.Sys().(*syscall.Stat_t)
	return ok && also && a.Dev != i.Dev
}
