package spawn

import (
	"os"

	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/landlock"
	"postern/gateway/guard"
)

// Lacking is the error of a machine, or of a profile, for which there is no
// sandbox.
type Lacking struct {
	Why  string // a closed word of the backend
	Says string // what it means, and what to do
}

func (l *Lacking) Error() string { return "confining a tool server: " + l.Says }

// server is what is to be run in a sandbox.
type server struct {
	profile               guard.Profile
	command               []string // the program, an absolute path, and its arguments
	image                 *os.File // what is run in the place of the program; nil to look at its path
	env                   []string
	stage                 string
	stdin, stdout, stderr *os.File
	weak                  Weakness
}

// Weakness takes parts of a confinement away, for mutants. The zero value is strict.
type Weakness struct {
	Bubblewrap bubblewrap.Weakness
	Landlock   landlock.Weakness
}

// sandbox is what one server will run in. Run stands in for the server until it
// ends, and tells its exit code, or is replaced by it; an error comes with the
// code of a server that was not started.
type sandbox interface {
	Run() (int, error)
}
