// Package netns runs parts of this process in other network namespaces.
//
// It promises that the rest of the process stays where it is: a thread that
// went elsewhere is never used again, and the first thread, which stands for
// the process in /proc, never goes. A socket stays in the namespace in which it
// was opened.
package netns

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Inside runs f in the namespace with that path, such as /proc/1/ns/net. An
// empty path is the namespace of this process.
func Inside(path string, f func() error) error {
	if path == "" {
		return f()
	}
	there, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("opening a network namespace: %w", err)
	}
	defer there.Close()
	return apart(func() error {
		if err := unix.Setns(int(there.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("entering a network namespace: %w", err)
		}
		return f()
	})
}

// New makes a namespace with nothing in it but a loopback that is down, and
// runs f there. It lasts until the file is closed and nothing else is in it.
func New(f func() error) (namespace *os.File, err error) {
	err = apart(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("making a network namespace: %w", err)
		}
		if namespace, err = os.Open("/proc/thread-self/ns/net"); err != nil {
			return fmt.Errorf("making a network namespace: %w", err)
		}
		return f()
	})
	return namespace, err
}

// apart runs f on a thread that ends with it.
func apart(f func() error) error {
	failed := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // not unlocked: the thread ends with the goroutine
		if unix.Gettid() == unix.Getpid() {
			failed <- apart(f) // this one is held meanwhile, so that it gets another
			runtime.UnlockOSThread()
			return
		}
		failed <- f()
	}()
	return <-failed
}
