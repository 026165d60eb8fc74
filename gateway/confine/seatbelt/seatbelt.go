// Package seatbelt runs a tool server in the sandbox of its guard profile, by the
// sandbox of macOS: sandbox-exec(1), whose profiles are texts in a dialect of
// Scheme. Apple calls it deprecated, documents none of it and ships it still;
// what is relied upon here is little, and is tried before each start.
//
// It promises that whatever a profile does not name is denied. Of the rules that
// fit, the last decides: so rules of paths are written from the root down, and
// the deeper one wins. The kernel asks about the path of the file that was
// reached, without symbolic links and as it is spelled on the disk. So a rule
// for a path that leads through a link fits nothing, and another spelling, on a
// file system that folds case, is not another way; Settle finds the paths as the
// kernel has them.
//
// Beyond the profile it leaves out devices, the terminal, sockets of other
// programs, other processes with their arguments and environment, and the
// system's services but for those that look up users and names: so no keychain,
// and no other program is asked to do something outside.
//
// The server takes the place of our process: its descriptors, signals, exit code
// and process number are its own. It does not limit memory, processes or time.
// Temporary files are shared with the user's other programs, and a secret that
// is replaced by a link, or spelled anew, after the start is not masked.
package seatbelt

import "postern/gateway/guard"

// Why is why a server is not confined: a closed word.
type Why string

const (
	// No sandbox on this machine, for any profile.
	NotMac       Why = "not-macos"
	NotInstalled Why = "not-installed"
	ProbeFailed  Why = "probe-failed"

	// This profile cannot be kept to.
	PathUnsafe      Why = "path-unsafe"
	SecretLinked    Why = "secret-linked"
	SecretsUnread   Why = "secrets-unread"
	WriteOverSecret Why = "write-over-secret"
	ScratchMissing  Why = "scratch-missing"
	TextRefused     Why = "text-refused"
)

// Says is the word in plain language, with what to do.
func (w Why) Says() string {
	switch w {
	case NotMac:
		return "Seatbelt is for macOS"
	case NotInstalled:
		return "/usr/bin/sandbox-exec is not there, which is a part of macOS: look at who took it away"
	case ProbeFailed:
		return "sandbox-exec could not make a sandbox here: no sandbox can be made inside another, so start the client outside of any"
	case PathUnsafe:
		return "a path of the profile is not absolute, or holds control characters or invalid UTF-8: rename it, and derive the profile again"
	case SecretLinked:
		return "a secret file has another hard link, which no mask covers: find it (find / -samefile) and remove it"
	case SecretsUnread:
		return "the secret places hold more files than are looked at: move what is no secret out of them"
	case WriteOverSecret:
		return "a secret place and a tree that the server may write lie in one another: derive the profile again with another temporary directory"
	case ScratchMissing:
		return "the server's scratch directory cannot be made: look at who owns the guard's state directory"
	case TextRefused:
		return "sandbox-exec does not accept the profile on this version of macOS: report it, with that version"
	}
	return "the sandbox is not available"
}

// Unable is the error of a server that cannot be confined.
type Unable struct{ Why Why }

func (u *Unable) Error() string { return "confining by Seatbelt: " + u.Why.Says() }

// Server is what is to be run.
type Server struct {
	Profile guard.Profile
	Command []string // the program, an absolute path, and its arguments
	Env     []string // all of it; nil is none
}
