// Package audittest is for tests of what waits for the disk. Nothing but tests
// imports it.
package audittest

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// FailSync makes fsync and fdatasync fail in every thread of this process, for good.
func FailSync() error {
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
