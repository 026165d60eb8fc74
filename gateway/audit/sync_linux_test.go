package audit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// writeWithoutSync appends while the kernel fails every wait for the disk, and
// ends well where that was noticed.
func writeWithoutSync(path string, w Weakness) error {
	log, err := OpenWeakLog(context.Background(), path, w)
	if err != nil {
		return err
	}
	s := log.Session("s1")
	if err := s.Append(context.Background(), sample(1)); err != nil {
		return fmt.Errorf("before: %w", err)
	}
	if err := failSync(); err != nil {
		return err
	}
	if err := s.Append(context.Background(), sample(2)); err == nil {
		return errors.New("a row was released that no disk had")
	}
	if err := s.Append(context.Background(), sample(3)); !errors.Is(err, ErrBroken) {
		return errors.New("the log goes on after a failed wait")
	}
	return nil
}

// failSync makes fsync and fdatasync fail in every thread of this process.
func failSync() error {
	load := unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS} // the number of the call is first
	equal := func(number uint32, jump uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jt: jump}
	}
	end := func(action uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
	}
	filter := []unix.SockFilter{
		load, equal(unix.SYS_FSYNC, 2), equal(unix.SYS_FDATASYNC, 1),
		end(unix.SECCOMP_RET_ALLOW), end(unix.SECCOMP_RET_ERRNO | uint32(unix.EIO)),
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}

// A kill loses nothing that the kernel has; a machine that goes dark does. What
// a commit waits for is therefore seen by letting the wait fail.
func TestNoRowIsReleasedThatTheDiskDoesNotHave(t *testing.T) {
	for weak, noticed := range map[string]bool{"": true, "nosync": false} {
		said, err := child("syncless", filepath.Join(t.TempDir(), "audit.db"), weak).CombinedOutput()
		if (err == nil) != noticed {
			t.Errorf("%q: %v, %s", weak, err, said)
		}
	}
}
