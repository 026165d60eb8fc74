// Package audittest is for tests of what waits for the disk, and for the harness,
// which asks the same of a whole gateway. Nothing of the gateway's own imports it.
package audittest

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// FailSync makes fsync and fdatasync fail in every thread of this process, for good.
func FailSync() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return failSync(unix.SECCOMP_FILTER_FLAG_TSYNC)
}

// WithoutSync does something in a thread of its own in which fsync and fdatasync
// fail. The thread ends with it; no other notices.
func WithoutSync(do func()) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		err := failSync(0)
		if err == nil {
			do()
		}
		done <- err
	}()
	return <-done
}

func failSync(flags uintptr) error {
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
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}
