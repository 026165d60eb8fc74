package gateway

import (
	"slices"

	"postern/gateway/confine"
	"postern/gateway/gate"
	"postern/gateway/watchdog"
)

// Controls of the gateway itself.
const (
	// CeilingPublicTool keeps what is more than public from the public sink.
	CeilingPublicTool confine.Control = "ceiling.public-tool"
	// WatchdogArmed puts a second process beside the one that serves the agent.
	WatchdogArmed confine.Control = "watchdog.armed"
)

// Controls lists every control of the subject: the sandbox's, the host's and
// the gateway's own.
func Controls() []confine.ControlInfo {
	return slices.Concat(
		confine.Controls(),
		[]confine.ControlInfo{
			{ID: CeilingPublicTool, Title: "nothing above public to the public sink", Group: "ceiling"},
			{ID: WatchdogArmed, Title: "a watchdog beside every session", Group: "supervision"},
		},
		watchdog.Controls(),
		gate.Controls(),
	)
}
