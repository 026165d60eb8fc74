package observers

// Neighbour is another container, which trials share: an image of ours that
// does nothing.
type Neighbour struct {
	ID     string
	PID    int     // of its first process, in the host's numbering
	Output *Output // what it says
}
