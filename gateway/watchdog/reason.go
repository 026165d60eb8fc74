package watchdog

// reason is why the program would not be armed, as a number on the pipe.
type reason uint64

const (
	noReason reason = iota
	engineSilent
	notRunning
	otherProcess
	otherContainer
	initGone
	noHold
)

// String is fixed words: what the Engine said stays with the program.
func (r reason) String() string {
	switch r {
	case engineSilent:
		return "the Engine gave no answer about the container"
	case notRunning:
		return "the Engine says that the container does not run"
	case otherProcess:
		return "the Engine names another first process"
	case otherContainer:
		return "the process is in no cgroup of the container's"
	case initGone:
		return "the process is gone, or cannot be looked at"
	case noHold:
		return "there is no Engine, and the host permits no pidfd"
	default:
		return "no known reason"
	}
}
