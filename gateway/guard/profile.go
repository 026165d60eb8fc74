package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"slices"
	"time"

	json "github.com/go-json-experiment/json"
)

// Version is that of Profile's fields. A stored profile of another version is
// not used.
const Version = 1

// Tier is how strictly a server is confined.
type Tier string

const (
	Standard Tier = "standard" // reads all but secret places; writes its scratch, temporary files and caches; no network, but for launchers that fetch
	Strict   Tier = "strict"   // reads what its program needs; writes its scratch; no network, or named ports of this machine
)

// Network is what a server may connect to.
type Network string

const (
	NetNone     Network = "none"
	NetLoopback Network = "loopback" // the ports of Profile.Ports, on this machine
	NetFull     Network = "full"     // for launchers that fetch the server when it starts
)

// Profile is what one server may reach, with absolute paths: an upgrade that
// knows more secret places changes nothing that was enrolled. Hash covers every
// field but Captured.
type Profile struct {
	Version  int       `json:"version"`
	Server   string    `json:"server"` // as the client calls it
	Tier     Tier      `json:"tier"`
	Required bool      `json:"required"` // refuse to run it otherwise
	Read     []string  `json:"read"`     // trees; "/" is everything
	Mask     []string  `json:"mask"`     // of these, what is not there for the server, whether it exists or not
	Write    []string  `json:"write"`    // trees
	Scratch  string    `json:"scratch"`  // the server's own directory, one of Write
	Network  Network   `json:"network"`
	Ports    []int     `json:"ports"` // of Loopback, sorted
	Captured time.Time `json:"captured"`
}

// Request is what a profile is derived from.
type Request struct {
	Server   string   // as the client calls it
	Command  []string // program and arguments
	Tier     Tier
	Required bool
	Ports    []int // of this machine that a strict profile leaves open
	Read     []string
}

// Machine is what is known of where the server will run. Paths are absolute.
type Machine struct {
	OS    string // as in runtime.GOOS
	Home  string // of the user
	Temp  string
	State string // where the guard keeps its store and the servers' scratch

	Config string // what XDG_CONFIG_HOME puts in the place of ~/.config, or ""
}

var (
	errTier    = errors.New("deriving a profile: the tier is neither standard nor strict")
	errCommand = errors.New("deriving a profile: there is no command to run")
	errServer  = errors.New("deriving a profile: the server has no name")
	errMachine = errors.New("deriving a profile: home, temporary and state directory must be absolute paths")
	errRead    = errors.New("deriving a profile: what a strict profile may read too must be absolute paths")
	errPort    = errors.New("deriving a profile: a port must be from 1 to 65535, and only a strict profile names any")
)

// Derive says what a server may reach. It looks at nothing but its arguments.
func Derive(r Request, m Machine, now time.Time) (Profile, error) {
	if err := check(r, m); err != nil {
		return Profile{}, err
	}
	p := Profile{
		Version: Version, Server: r.Server, Tier: r.Tier, Required: r.Required,
		Scratch: path.Join(m.State, "scratch", Segment(r.Server)), Network: NetNone, Ports: []int{}, Captured: now.UTC().Truncate(time.Second),
	}
	p.Mask = m.secrets()
	p.Write = []string{p.Scratch}
	switch r.Tier {
	case Standard:
		p.Read = []string{"/"}
		p.Write = append(p.Write, m.writable()...)
		if Fetches(r.Command) {
			p.Network = NetFull
		}
	case Strict:
		p.Read = append(m.needed(r.Command), r.Read...)
		if len(r.Ports) > 0 {
			p.Network, p.Ports = NetLoopback, sorted(r.Ports)
		}
	}
	p.Read, p.Mask, p.Write = sorted(p.Read), sorted(p.Mask), sorted(p.Write)
	return p, nil
}

func check(r Request, m Machine) error {
	switch {
	case r.Tier != Standard && r.Tier != Strict:
		return errTier
	case len(r.Command) == 0 || r.Command[0] == "":
		return errCommand
	case r.Server == "":
		return errServer
	case !path.IsAbs(m.Home) || !path.IsAbs(m.Temp) || !path.IsAbs(m.State):
		return errMachine
	case len(r.Ports) > 0 && r.Tier != Strict || slices.ContainsFunc(r.Ports, func(p int) bool { return p < 1 || p > 65535 }):
		return errPort
	case slices.ContainsFunc(r.Read, func(p string) bool { return !path.IsAbs(p) }):
		return errRead
	}
	return nil
}

func sorted[T int | string](all []T) []T {
	out := slices.Clone(all)
	slices.Sort(out)
	return slices.Compact(out)
}

// Hash is 64 hexadecimal digits that stand for everything a profile permits. It
// does not depend on when the profile was made, nor on the order of keys in a
// file that it was read from.
func (p Profile) Hash() string {
	p.Captured = time.Time{}
	content, err := json.Marshal(p, json.Deterministic(true))
	if err != nil {
		panic("a profile of strings and numbers could not be written as JSON")
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
