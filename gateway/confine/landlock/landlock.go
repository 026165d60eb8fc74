// Package landlock runs a tool server under the rules of its guard profile, by
// Landlock (landlock(7), https://landlock.io) and a filter of system calls, on
// Linux where no namespace can be made.
//
// It promises that the server reads, runs, writes, makes and removes what the
// profile names and nothing else; that it makes no socket the profile has no use
// for; that it sends no signal to, and looks into, no process but its own; and
// that all of this holds for what it starts. It is strict: Table says which
// version of Landlock each promise takes, and a kernel that is older confines
// nothing. No privilege, no capability and no descriptor but stdin, stdout and
// stderr are left. The server takes the place of our process, so its number,
// signals, descriptors and exit code are its own.
//
// Rules only grant, and a grant is for a whole tree. So a secret place is left
// out by granting, in each directory on the way to it, everything else by its
// own rule. A directory on the way is not granted: it cannot be listed, and what
// is made or replaced in it after the start is not read. Links are followed and
// the mounts of a secret place looked for when the rules are made, and a rule is
// for the file itself, not for its name: another spelling, "..", or a link that
// is made later lead to the same refusal. A further hard link is refused as by
// every backend that masks by path.
//
// Stricter than bubblewrap, because Landlock cannot tell finer: no local socket,
// so neither a name service daemon nor a program of the server's own behind one;
// without a network not even one of its own; a profile with ports of this machine
// is refused, for a rule of ports holds for every address; TMPDIR is a directory
// in the server's scratch, and /tmp and /dev/shm are shut; a cache that is not
// there is not made; of /proc there is the server's own part, not its children's.
//
// Weaker than bubblewrap, because Landlock does not look: the server learns
// whether a path exists, its size, owner and times, and watches for changes;
// it changes mode and times of what belongs to the user, wherever it is. What is
// mounted on the host later is seen if it lies in a tree that was granted. There
// are no own process numbers, so that others are counted and slowed down, and
// what the server starts may outlive it; /proc names the machine's connections.
// Time, memory and processes are not limited. A server that is started beside us dies with us; one that took our
// place lives as long as it would have without us, in the terminal's session if
// it had one, into which it types nothing.
package landlock

import (
	"os"

	"postern/gateway/confine/tree"
	"postern/gateway/guard"
)

// Why is why a server is not confined: a closed word.
type Why string

const (
	// No confinement on this machine, for any profile.
	NotLinux  Why = "not-linux"
	Off       Why = "landlock-off"
	TooOld    Why = "landlock-too-old"
	FilterOff Why = "seccomp-off"

	// This profile cannot be kept to.
	PortsAnywhere Why = "ports-anywhere"
)

// Says is the word in plain language, with what to do.
func (w Why) Says() string {
	switch w {
	case NotLinux:
		return "Landlock is for Linux"
	case Off:
		return "Landlock is off, or not in this kernel: add landlock to lsm= of the kernel's command line"
	case TooOld:
		return "the kernel's Landlock is too old to keep to any profile: run Linux 6.12 or later (ABI 6)"
	case FilterOff:
		return "the kernel does not filter system calls (seccomp), without which sockets stay open: run one that does"
	case PortsAnywhere:
		return "Landlock leaves a port open at every address, not on this machine alone: install bubblewrap"
	}
	return tree.Why(w).Says()
}

// Unable is the error of a server that cannot be confined.
type Unable struct{ Why Why }

func (u *Unable) Error() string { return "confining by Landlock: " + u.Why.Says() }

// Kernel is what one can do, as a value. The zero Kernel confines nothing.
type Kernel struct {
	ABI     int  // the version of Landlock; 0 where there is none, or it is off
	Filters bool // system calls, by seccomp(2)
}

// Backend is a kernel that confines. Its zero value confines nothing.
type Backend struct{ kernel Kernel }

// Available says whether a kernel keeps every promise. Where it does not the error
// is an *Unable.
func Available(k Kernel) (Backend, error) {
	switch {
	case k.ABI == 0:
		return Backend{}, &Unable{none}
	case k.ABI < Least():
		return Backend{}, &Unable{TooOld}
	case !k.Filters:
		return Backend{}, &Unable{FilterOff}
	}
	return Backend{k}, nil
}

// Server is what is to be run.
type Server struct {
	Profile guard.Profile
	Command []string // the program, an absolute path, and its arguments
	Image   *os.File // what is run in the place of the program; nil to look at its path
	Env     []string // all of it; nil is none
	Stage   string   // a program that calls Inner; "" is this one

	Stdin, Stdout, Stderr *os.File // none may be nil where it runs beside us

	Weak Weakness
}

// Weakness takes parts of a confinement away, for mutants. The zero value is strict.
type Weakness struct {
	Unruled    bool // no rule of files
	Ancestors  bool // a directory on the way to a secret place is granted
	Writable   bool // what it only reads it may write, too
	Connecting bool // no rule of TCP
	Unscoped   bool // signals and abstract sockets reach everywhere
	Unfiltered bool // it makes any system call
	Outlive    bool // beside us, it does not die with us
}
