// Package bubblewrap runs a tool server in the sandbox of its guard profile, by
// bubblewrap (bwrap, https://github.com/containers/bubblewrap) on Linux.
//
// It promises that the server sees what the profile names and nothing else: the
// tree is built from an empty root, a masked place is one that was left out of
// it, and all but the profile's writable trees is read-only. The server has its
// own processes, names, mounts and, but for what fetches, its own network; no
// capability, no new privilege, no further user namespace, no terminal, no
// descriptor but stdin, stdout and stderr, and a filter of system calls. It dies
// with the process that started it, and its exit code and signals pass through.
//
// A program that starts servers calls Inner before anything else.
//
// Beyond the profile it leaves out /run, where other programs listen, but for
// what resolves names; every socket that a program listens at; and what links
// to a secret or is mounted from one. Temporary directories that all users share
// are given empty.
//
// It does not limit memory, processes or time. Where a profile grants the whole
// network, sockets of this machine that have no place in the file system stay in
// reach. What is made after the start beside a masked place is not seen by the
// server, and a file beside one that was replaced since is seen as it was.
package bubblewrap

import (
	"os"

	"postern/gateway/confine/tree"
	"postern/gateway/guard"
)

// Why is why a server is not confined: a closed word.
type Why string

const (
	// No sandbox on this machine, for any profile.
	NotLinux      Why = "not-linux"
	NotInstalled  Why = "not-installed"
	NotTrusted    Why = "not-trusted"
	TooOld        Why = "too-old"
	KernelTooOld  Why = "kernel-too-old"
	NamespacesOff Why = "user-namespaces-off"
	ProbeFailed   Why = "probe-failed"

	// This profile cannot be kept to.
	SecretLinked    = Why(tree.SecretLinked)
	SecretsUnread   = Why(tree.SecretsUnread)
	WriteOverSecret = Why(tree.WriteOverSecret)
	ScratchMissing  = Why(tree.ScratchMissing)
	ProgramSecret   = Why(tree.ProgramSecret)

	PortsLow Why = "ports-low"
)

// Says is the word in plain language, with what to do.
func (w Why) Says() string {
	switch w {
	case NotLinux:
		return "bubblewrap is for Linux"
	case NotInstalled:
		return "bubblewrap is not installed: 'apt-get install bubblewrap', or your distribution's package of that name"
	case NotTrusted:
		return "the bwrap that was found is not root's alone to write: install your distribution's package"
	case TooOld:
		return "bubblewrap is older than 0.6: install a later one"
	case KernelTooOld:
		return "the kernel is older than Linux 5.12: run a later one"
	case NamespacesOff:
		return "user namespaces are off: allow them by sysctl (user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns)"
	case ProbeFailed:
		return "bubblewrap could not make a sandbox here: in a container, it needs user namespaces and an unmasked /proc"
	case SecretLinked, SecretsUnread, WriteOverSecret, ScratchMissing, ProgramSecret:
		return tree.Why(w).Says()
	case PortsLow:
		return "a port below 1024 cannot be left open: let its service listen at another one"
	}
	return "the sandbox is not available"
}

// Unable is the error of a server that cannot be confined.
type Unable struct{ Why Why }

func (u *Unable) Error() string { return "confining by bubblewrap: " + u.Why.Says() }

// Server is what is to be run.
type Server struct {
	Profile guard.Profile
	Command []string // the program, an absolute path, and its arguments
	Image   *os.File // what is run in the place of the program; nil to look at its path
	Env     []string // all of it; nil is none
	Stage   string   // a program that calls Inner; "" is this one

	Stdin, Stdout, Stderr *os.File // none may be nil

	Weak Weakness
}

// Weakness takes parts of a sandbox away, for mutants. The zero value is strict.
type Weakness struct {
	Session    bool // the server stays in the session of who starts it, with its terminal
	Outlive    bool // it does not die with the process that started it
	Unfiltered bool // it makes any system call
	Writable   bool // what it only reads it may write, too
	Sockets    bool // it sees the sockets at which programs listen
	Processes  bool // it is among the processes of who starts it
	IPC        bool // it has the System V and POSIX IPC of who starts it
}
