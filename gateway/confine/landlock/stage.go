package landlock

// stageCommand is the first argument by which a program that starts servers is
// run once more; see Inner.
const stageCommand = "guard-landlock"

// stageFailed is the exit code of a stage that did not become the server.
const stageFailed = 125

// Inner is to be called before anything else by each program that starts servers,
// with its arguments. Where these are ours it becomes the server, or tells the
// exit code with which the program is to end.
func Inner(args []string) (code int, ours bool) {
	if len(args) < 2 || args[1] != stageCommand {
		return 0, false
	}
	return stage(), true
}
