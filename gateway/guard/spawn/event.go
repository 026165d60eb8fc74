package spawn

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"postern/gateway/guard"
)

// EventsFile is the log of decisions in the guard's directory: one JSON object a
// line.
const EventsFile = "guard-decisions.jsonl"

// event is one decision; its JSON keys are permanent.
type event struct {
	Time     time.Time     `json:"time"`
	Server   string        `json:"server"` // as its scratch is called
	Action   string        `json:"action"`
	Reason   guard.Reason  `json:"reason"`
	Original bool          `json:"original"`
	Marker   string        `json:"marker"`
	Stored   bool          `json:"stored"`
	Required bool          `json:"required"`
	Backend  string        `json:"backend"`        // its name, or why there is none
	Tier     guard.Tier    `json:"tier,omitempty"` // of a stored profile, as what follows
	Network  guard.Network `json:"network,omitempty"`
	Profile  string        `json:"profile,omitempty"` // its hash
}

// record appends a decision to the log, before it takes effect.
func record(state, server string, o outcome, now time.Time) error {
	e := event{
		Time: now.UTC(), Server: guard.Segment(server), Action: o.decision.Action.String(), Reason: o.decision.Reason,
		Original: o.spawn.Original, Marker: o.spawn.Marker.String(), Stored: o.spawn.Stored,
		Required: o.spawn.RequiredByMarker || o.spawn.RequiredByProfile, Backend: o.backend,
	}
	if o.spawn.Stored {
		e.Tier, e.Network, e.Profile = o.profile.Tier, o.profile.Network, o.profile.Hash()
	}
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("writing the event of a decision: %w", err)
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return fmt.Errorf("making the guard's directory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(state, EventsFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("opening the log of decisions: %w", err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		f.Close()
		return fmt.Errorf("writing the log of decisions: %w", err)
	}
	return f.Close()
}
