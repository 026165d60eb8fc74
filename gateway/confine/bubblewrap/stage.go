package bubblewrap

// The first arguments by which a program that starts servers is run once more;
// see Inner.
const (
	stageCommand = "guard-stage"
	portsCommand = "guard-ports"
)

// stageFailed is the exit code of a sandbox that could not be made.
const stageFailed = 125

// Inner is to be called before anything else by each program that starts servers,
// with its arguments. Where these are ours it does their part, and tells the exit
// code with which the program is to end.
//
// The stage puts the tree together and becomes bwrap, which by itself looks
// through the table of mounts after each that it makes: seconds for a large home.
// Ports listens inside the sandbox, and becomes the server.
func Inner(args []string) (code int, ours bool) {
	if len(args) < 2 {
		return 0, false
	}
	switch args[1] {
	case stageCommand:
		return stage(), true
	case portsCommand:
		return ports(args[2:]), true
	}
	return 0, false
}
