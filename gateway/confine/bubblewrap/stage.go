package bubblewrap

// StageCommand is the first argument by which a program that starts servers is
// run once more, before anything else of it is: see Stage. bwrap looks through
// the table of mounts after each that it makes, which takes seconds for a large
// home; so the tree, of many entries, is put together by us, in a name space of
// mounts where bwrap then starts.
const StageCommand = "guard-stage"

// stageFailed is the exit code of a sandbox that could not be made.
const stageFailed = 125
