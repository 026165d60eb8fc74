package observers

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// apart runs work on a thread of its own, which is thrown away afterwards with
// whatever it became: another user, or one with namespaces of its own.
func apart(work func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if unix.Gettid() == unix.Getpid() {
			defer runtime.UnlockOSThread() // the main thread cannot end
			done <- apart(work)
			return
		}
		done <- work()
	}()
	return <-done
}

// asUser makes the calling thread one of that user, and no other thread. The
// package syscall would change all of them.
func asUser(uid int) error {
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); errno != 0 {
		return fmt.Errorf("becoming the agent's user on one thread: %w", errno)
	}
	return nil
}
