// Package enrol puts servers under the guard and takes them out of it: a profile
// in the store and the markers in the client's file, or neither.
//
// It writes the store first when it enables and last when it disables, so that
// what was interrupted is a profile without a wrapped server: it looks like that
// and not like tampering, and doing the same again ends it. It changes nothing
// where the store is damaged, and never writes a marker anew.
package enrol

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"postern/gateway/guard"
	"postern/gateway/guard/clients"
	"postern/gateway/statefile"
)

// Guard is whose servers are meant, and where.
type Guard struct {
	Machine guard.Machine
	Program string           // absolute path of the program that wraps
	Clients []clients.Client // none other is looked at
	Server  string           // none other is changed; "" is all
	DryRun  bool             // say what would be done
}

// State is what became of a server, or what it is: a closed word. Of one that is
// wrapped it is an Action of the spawn table.
type State string

const (
	Wrapped      State = "wrapped"
	Already      State = "already-wrapped"
	Restored     State = "profile-restored" // the marker was there, the profile was not
	Unwrapped    State = "unwrapped"
	Forgotten    State = "profile-removed" // there was no wrapped server
	LeftAlone    State = "left-alone"      // Why says why
	Failed       State = "failed"          // Why says why
	NotWrapped   State = "not-wrapped"
	HalfEnabled  State = "half-enabled"  // a profile is stored, but the client starts the server without the guard
	Gone         State = "gone"          // a profile is stored, and the client no longer has the server
	OtherProgram State = "other-program" // wrapped, but the program before the markers is not this one
)

// StoreDamaged is why a wrapped server is refused where no profile can be read,
// beside the reasons of the spawn table.
const StoreDamaged = "store-damaged"

// Row is one server, or a client's file as a whole where Server is "".
type Row struct {
	Client  string `json:"client"`
	Project string `json:"project,omitempty"`
	Server  string `json:"server,omitempty"`
	File    string `json:"file,omitempty"` // of a client whose file was left alone
	State   State  `json:"state"`
	Why     string `json:"why,omitempty"`
	Line    int    `json:"line,omitempty"` // of the file, where that is why
	Column  int    `json:"column,omitempty"`
}

// Bad reports whether somebody should look at it.
func (r Row) Bad() bool {
	switch r.State {
	case Failed, HalfEnabled, Gone, OtherProgram, State(guard.Refuse.String()), State(guard.Unconfined.String()):
		return true
	case LeftAlone:
		return r.Why == string(clients.NotWhole)
	}
	return false
}

func (g Guard) store() guard.Store { return guard.At(g.Machine.State) }

// Backups is where copies of clients' files are kept.
func (g Guard) Backups() string { return filepath.Join(g.Machine.State, "backups") }

// lock keeps two of us from undoing each other's half.
func (g Guard) lock() (*os.File, error) {
	if err := os.MkdirAll(g.Machine.State, 0o700); err != nil {
		return nil, fmt.Errorf("making the guard's directory: %w", err)
	}
	f, err := statefile.Lock(filepath.Join(g.Machine.State, "guard-clients.lock"))
	if errors.Is(err, statefile.ErrInUse) {
		return nil, errors.New("another 'guard enable' or 'guard disable' is under way: wait for it, and try again")
	}
	if err != nil {
		return nil, fmt.Errorf("locking the guard's directory: %w", err)
	}
	return f, nil
}

// look reads what a client's file says. No file is no servers.
func (g Guard) look(c clients.Client) (*clients.File, *clients.Document, error) {
	f, err := clients.Read(c.Path(g.Machine))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &clients.Document{}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	d, err := clients.Parse(f.Content, c)
	return f, d, err
}

func (g Guard) means(server string) bool { return g.Server == "" || g.Server == server }

// place is what the store calls a client: with the project, where it has any.
func place(c clients.Client, project string) string {
	if project == "" {
		return c.ID
	}
	return c.ID + " " + project
}

func row(c clients.Client, s clients.Server, state State, why string) Row {
	return Row{Client: c.ID, Project: s.Project, Server: s.Name, State: state, Why: why}
}

// failed is a file that was left alone.
func (g Guard) failed(c clients.Client, err error) Row {
	r := Row{Client: c.ID, File: c.Path(g.Machine), State: Failed, Why: string(clients.NotWritten)}
	if left := (*clients.Left)(nil); errors.As(err, &left) {
		r.Why, r.Line, r.Column = string(left.Why), left.Line, left.Column
	}
	return r
}

// find is the stored entry of a client's server.
func find(stored []guard.Entry, client, server string) *guard.Entry {
	for i := range stored {
		if stored[i].Client == client && stored[i].Profile.Server == server {
			return &stored[i]
		}
	}
	return nil
}

// attempts are how often a file is read and changed again that another program
// writes meanwhile.
const attempts = 3

// rewrite changes a client's file, from what it is when it is changed.
func (g Guard) rewrite(c clients.Client, change func(*clients.Document) []byte) error {
	for i := 1; ; i++ {
		f, d, err := g.look(c)
		if err != nil || f == nil {
			return err
		}
		content := change(d)
		if string(content) == string(f.Content) {
			return nil
		}
		err = f.Replace(content, c.ID, g.Backups())
		if left := (*clients.Left)(nil); errors.As(err, &left) && left.Why == clients.Busy && i < attempts {
			continue
		}
		return err
	}
}
