// Package tree says what a tool server is to see of this machine's files: each
// place of its guard profile as it lies on the disk now, without what is secret.
//
// It promises that a step opens nothing that the profile masks, by whatever link,
// mount or spelling it is reached. It makes nothing itself: a backend does, by
// mounts or by rules of paths.
package tree

import "errors"

// Why is why a profile cannot be kept to: a closed word.
type Why string

const (
	SecretLinked    Why = "secret-linked"
	SecretsUnread   Why = "secrets-unread"
	WriteOverSecret Why = "write-over-secret"
	ScratchMissing  Why = "scratch-missing"
	ProgramSecret   Why = "program-secret"
)

// Says is the word in plain language, with what to do.
func (w Why) Says() string {
	switch w {
	case SecretLinked:
		return "a secret file has another hard link, which no mask covers: find it (find / -samefile) and remove it"
	case SecretsUnread:
		return "the secret places hold more files than are looked at: move what is no secret out of them"
	case WriteOverSecret:
		return "a secret place lies in a tree that the server may write: derive the profile again with another temporary directory"
	case ProgramSecret:
		return "the server's program lies in a secret place, such as another user's home: install it where all may read"
	case ScratchMissing:
		return "the server's scratch directory cannot be made: look at who owns the guard's state directory"
	}
	return "the profile cannot be kept to"
}

// ErrNotMade is the error of a sandbox that could not be made, in which nothing
// ran: something of the host went away meanwhile, or the backend does not work here.
var ErrNotMade = errors.New("the sandbox could not be made")
