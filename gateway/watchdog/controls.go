package watchdog

import "postern/gateway/confine"

// Controls of the supervision.
const (
	ControlAck     confine.Control = "watchdog.ack"
	ControlLease   confine.Control = "watchdog.lease"
	ControlSession confine.Control = "watchdog.session"
	ControlRetries confine.Control = "watchdog.retries"
)

// Controls lists them. None is a field of a profile.
func Controls() []confine.ControlInfo {
	return []confine.ControlInfo{
		{ID: ControlAck, Title: "a watchdog that does not answer ends the session", Group: "supervision"},
		{ID: ControlLease, Title: "a bridge that says nothing loses its container", Group: "supervision"},
		{ID: ControlSession, Title: "the watchdog in a process session of its own", Group: "supervision"},
		{ID: ControlRetries, Title: "stopping tried again where the Engine fails", Group: "supervision"},
	}
}
