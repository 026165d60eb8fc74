package bubblewrap

// Backend is a bubblewrap that makes sandboxes on this machine. Its zero value
// makes none.
type Backend struct {
	path  string
	users []string // the options by which it makes a user namespace, if it can
}

// Places are where bwrap is looked for: never by the user's PATH.
var Places = []string{"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"}

// Path is where bwrap is.
func (b Backend) Path() string { return b.path }
