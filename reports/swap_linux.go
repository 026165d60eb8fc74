package reports

import "golang.org/x/sys/unix"

// swap exchanges two directories in one step (renameat2(2)).
func swap(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
