package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Wrapped is a server's entry as the guard leaves it in a client's file: the
// markers, and behind them the command that was there.
type Wrapped struct {
	Server   string   // as the client called it
	Original string   // OriginalHash of the command that was enrolled
	Profile  string   // hash of the profile; "" where the marker is absent
	Required bool     // refuse to run it unconfined
	Command  []string // program and arguments
}

// The arguments that tell a wrapped entry from any other, and its markers.
var innerArgs = []string{"guard", "run", "--inner"}

const (
	serverFlag   = "--server"
	originalFlag = "--orig-hash"
	profileFlag  = "--profile-hash"
	requiredFlag = "--required"
)

// Args are those of the wrapped command, behind the program.
func (w Wrapped) Args() []string {
	return append(w.Markers(), w.Command...)
}

// Markers are the arguments before the command that was there.
func (w Wrapped) Markers() []string {
	args := append(slices.Clone(innerArgs), serverFlag, w.Server, originalFlag, w.Original)
	if w.Profile != "" {
		args = append(args, profileFlag, w.Profile)
	}
	if w.Required {
		args = append(args, requiredFlag)
	}
	return append(args, "--")
}

// IsWrapped reports whether the arguments of a command are those of one that
// was wrapped, whole or not.
func IsWrapped(args []string) bool {
	return len(args) >= len(innerArgs) && slices.Equal(args[:len(innerArgs)], innerArgs)
}

// ParseWrapped reads the arguments of a wrapped command, in any order of the
// markers. Where it is not whole, ok is false.
func ParseWrapped(args []string) (w Wrapped, ok bool) {
	if !IsWrapped(args) {
		return Wrapped{}, false
	}
	seen := map[string]bool{}
	for rest := args[len(innerArgs):]; len(rest) > 0; {
		flag, value, joined := strings.Cut(rest[0], "=")
		if flag == "--" && !joined {
			w.Command = rest[1:]
			return w, w.Server != "" && len(w.Command) > 0 && w.Command[0] != ""
		}
		if rest = rest[1:]; flag != requiredFlag && !joined {
			if len(rest) == 0 {
				break
			}
			value, rest = rest[0], rest[1:]
		}
		if seen[flag] || !w.set(flag, value, joined) {
			break
		}
		seen[flag] = true
	}
	return Wrapped{}, false
}

// set takes one marker; no other is one.
func (w *Wrapped) set(flag, value string, joined bool) bool {
	switch flag {
	case serverFlag:
		w.Server = value
	case originalFlag:
		w.Original = value
	case profileFlag:
		w.Profile = value
	case requiredFlag:
		w.Required = true
		return !joined
	default:
		return false
	}
	return true
}

// OriginalHash is 64 hexadecimal digits that stand for a server's name and its
// command, and so for nothing that wrapping adds. An entry that lists no
// arguments and one whose list is empty run alike and have two hashes, for
// unwrapping to put back the right one.
//
// The entry's environment is not part of it: the client turns that into the
// environment of the process, where it cannot be told from the rest.
func OriginalHash(server string, command []string, listed bool) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s %d %t", len(server), server, len(command), listed)
	for _, word := range command {
		fmt.Fprintf(h, " %d:%s", len(word), word)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Unchanged reports whether the command is the one that was enrolled.
func (w Wrapped) Unchanged() bool {
	return w.Original == OriginalHash(w.Server, w.Command, true) || w.Unlisted()
}

// Unlisted reports whether the entry that was enrolled had no list of arguments.
func (w Wrapped) Unlisted() bool {
	return len(w.Command) == 1 && w.Original == OriginalHash(w.Server, w.Command, false)
}

// Spawn is what the table is asked about a wrapped command. The marker chooses
// among profiles that clients have for servers of the same name; where it is
// gone, any of them may demand that the server is confined.
func (w Wrapped) Spawn(stored []Entry, backend bool) Spawn {
	s := Spawn{Marker: w.marker(), RequiredByMarker: w.Required, Backend: backend, Original: w.Unchanged()}
	fits := false
	for _, e := range stored {
		if e.Profile.Server != w.Server {
			continue
		}
		s.Stored = true
		if w.Profile == e.Profile.Hash() {
			fits = true
		}
		if w.Profile == "" || w.Profile == e.Profile.Hash() {
			s.RequiredByProfile = s.RequiredByProfile || e.Profile.Required
		}
	}
	if s.Marker == Valid && s.Stored && !fits {
		s.Marker = Mismatched
	}
	return s
}

// marker is what the hash says by itself.
func (w Wrapped) marker() Marker {
	switch raw, err := hex.DecodeString(w.Profile); {
	case w.Profile == "":
		return Absent
	case err != nil || len(raw) != sha256.Size || strings.ToLower(w.Profile) != w.Profile:
		return Malformed
	}
	return Valid
}
