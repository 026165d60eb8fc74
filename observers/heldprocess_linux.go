package observers

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
)

// process looks at one process. The container's first shows which user
// namespace is the container's own.
func (h *holdings) process(dir, first string) error {
	program, err := os.Readlink(dir + "/exe")
	if err != nil {
		return err // it has ended
	}
	h.scan([]byte(program))
	if err := h.status(dir); err != nil {
		return err
	}
	if err := h.timers(dir); err != nil {
		return err
	}
	own, err1 := os.Readlink(dir + "/ns/user")
	theirs, err2 := os.Readlink(first + "/ns/user")
	if err1 == nil && err2 == nil && own != theirs {
		h.effect(channel.KernelNamespace)
	}
	return cmp.Or(err1, err2, h.descriptors(dir))
}

// status reads proc_pid_status(5).
func (h *holdings) status(dir string) error {
	text, err := os.ReadFile(dir + "/status")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); {
		case key == "TracerPid" && value != "0":
			h.effect(channel.KernelTrace)
		case key == "VmLck" && value != "0 kB":
			h.effect(channel.ResourceLocked)
		}
	}
	return nil
}

// timers reads what the timers of a process carry, where the kernel tells.
func (h *holdings) timers(dir string) error {
	text, err := os.ReadFile(dir + "/timers")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		h.scan(timerValues(string(text)))
	}
	return err
}

// maxHandles is how many descriptors the hardened profile allows a process.
const maxHandles = 256

// descriptors looks at what a process holds open.
func (h *holdings) descriptors(dir string) error {
	entries, err := os.ReadDir(dir + "/fd")
	if err != nil {
		return err
	}
	if len(entries) > maxHandles {
		h.effect(channel.ResourceHandles)
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { // in the order of their numbers
		return cmp.Or(cmp.Compare(len(a.Name()), len(b.Name())), strings.Compare(a.Name(), b.Name()))
	})
	var watches watchBytes
	for _, e := range entries {
		at := dir + "/fd/" + e.Name()
		to, err := os.Readlink(at)
		if err != nil {
			continue // closed meanwhile
		}
		h.scan([]byte(to))
		info := dir + "/fdinfo/" + e.Name()
		switch {
		case to == "anon_inode:inotify":
			watches.add(readSome(info))
		case to == "anon_inode:[io_uring]":
			h.scan(ringData(readSome(info)))
		case to == "anon_inode:[fanotify]":
			h.effect(channel.KernelFanotify)
		case strings.HasPrefix(to, "socket:") && rare(at):
			h.effect(channel.KernelFamily)
		case strings.HasPrefix(to, "/dev/shm/"):
			if b, err := beyondShm(at); err == nil { // else it was closed meanwhile
				h.scan(b)
			}
		}
	}
	if watches.any {
		h.scan(watches.bytes[:])
	}
	return nil
}

// readSome is a file's text, or none of one that is gone.
func readSome(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(b)
}

// common are the families of which it is no wonder that an agent has sockets,
// or which channels of their own are about, as the kernel calls them.
var common = []string{"UNIX", "TCP", "UDP", "RAW", "PING", "MPTCP", "SCTP", "DCCP", "NETLINK", "PACKET", "ALG", "AF_VSOCK", "vsock"}

// rare reports whether a socket is of any other family, by the kernel's name
// for its protocol.
func rare(path string) bool {
	name := make([]byte, 64)
	n, err := unix.Getxattr(path, "system.sockprotoname", name)
	if err != nil {
		return false
	}
	protocol := strings.ToUpper(strings.TrimRight(string(name[:n]), "\x00"))
	return !slices.ContainsFunc(common, func(c string) bool { return strings.HasPrefix(protocol, strings.ToUpper(c)) })
}
