// Command caller is the whole of a test image: it makes one system call of
// each group that the hardened tier's filter refuses, with arguments that do
// no harm, and says for each group whether the filter refused it.
package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func main() {
	for _, c := range []struct {
		group   string
		number  uintptr
		a, b, c uintptr
	}{
		{"vsock", unix.SYS_SOCKET, unix.AF_VSOCK, unix.SOCK_STREAM, 0},
		{"vsock", unix.SYS_SOCKET, 1<<32 | unix.AF_VSOCK, unix.SOCK_STREAM, 0}, // the kernel looks at 32 bits
		{"netlink", unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT},
		{"crypto", unix.SYS_SOCKET, unix.AF_ALG, unix.SOCK_SEQPACKET, 0},
		{"families", unix.SYS_SOCKET, unix.AF_CAN, unix.SOCK_RAW, 0},
		{"io-uring", unix.SYS_IO_URING_SETUP, 1, 0, 0},
		{"trace", unix.SYS_PROCESS_VM_READV, 0, 0, 0},
		{"memfd", unix.SYS_MEMFD_CREATE, 0, 0, 0},
		{"keyring", unix.SYS_KEYCTL, 1 << 16, 0, 0},
		{"namespaces", unix.SYS_UNSHARE, 0, 0, 0},
		{"kernel", unix.SYS_USERFAULTFD, 1<<16 | 1, 0, 0}, // UFFD_USER_MODE_ONLY, or the kernel itself would refuse
		{"page-cache", unix.SYS_MINCORE, 0, 0, 0},
		{"locks", unix.SYS_FLOCK, 0, 0, 0},
		{"inotify", unix.SYS_INOTIFY_INIT1, 1 << 30, 0, 0},
	} {
		_, _, errno := unix.RawSyscall6(c.number, c.a, c.b, c.c, 0, 0, 0)
		fmt.Println(c.group, errno == unix.EPERM)
	}
}
