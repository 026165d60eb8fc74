package gate

import "postern/gateway/confine"

// Controls of the gate.
const (
	Drain          confine.Control = "gate.drain"
	Queue          confine.Control = "gate.queue"
	Revision       confine.Control = "gate.revision"
	CloseOnInvalid confine.Control = "gate.close-on-invalid"
)

// Controls lists every control of the gate.
func Controls() []confine.ControlInfo {
	return []confine.ControlInfo{
		{ID: Drain, Title: "an update waits for every admitted call", Group: "gate"},
		{ID: Queue, Title: "a queued call sees the update before it", Group: "gate"},
		{ID: Revision, Title: "revisions only rise", Group: "gate"},
		{ID: CloseOnInvalid, Title: "an invalid update closes admission", Group: "gate"},
	}
}

// Weakness takes controls away, for mutants. The zero value is strict. It is
// cloned by assignment.
type Weakness struct {
	NoDrain       bool // acknowledges with admitted calls still inside
	QueuedPass    bool // judges a queued call by the rule from before the update
	StaleAccepted bool // takes a revision that is not above the known one
	OpenOnInvalid bool // keeps the rule in force at an invalid update, and only says no
}
