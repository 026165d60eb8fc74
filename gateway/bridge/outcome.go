package bridge

import "slices"

// Outcome is a closed word: how a session ended. The empty Outcome is none of
// them, so a session that was never settled does not look complete.
type Outcome string

// The outcomes that Exchange gives.
const (
	Completed          Outcome = "completed"           // output ended after a whole line, everything was handled
	SessionTime        Outcome = "session-time"        // Limits.Session was over
	FrameRefused       Outcome = "frame-refused"       // a line was no call; Result.Refused says why
	FrameOversized     Outcome = "frame-oversized"     // a line was longer than Limits.Frame.Bytes
	OutputLimit        Outcome = "output-limit"        // more than Limits.Output bytes
	CallLimit          Outcome = "call-limit"          // one call more than Limits.Calls
	Canceled           Outcome = "canceled"            // the caller's context ended
	StreamLost         Outcome = "stream-lost"         // output broke, or its multiplexing makes no sense
	UpstreamFailed     Outcome = "upstream-failed"     // a handler's Fatal
	GatewayUnavailable Outcome = "gateway-unavailable" // a handler's Fatal or panic, or a session that could not begin
)

// The outcomes that only those around Exchange can give.
const (
	Crashed          Outcome = "crashed"           // output ended well, the process did not
	EngineRefused    Outcome = "engine-refused"    // no container, no stream
	AdmissionRefused Outcome = "admission-refused" // inspection found a weaker container
	WatchdogLost     Outcome = "watchdog-lost"     // the watchdog died, or did not answer
	ProfileChanged   Outcome = "profile-changed"   // completed, in a container that was changed under way
)

// Outcomes returns the whole vocabulary in a fixed order.
func Outcomes() []Outcome {
	return []Outcome{
		Completed, SessionTime, FrameRefused, FrameOversized, OutputLimit, CallLimit, Canceled,
		StreamLost, UpstreamFailed, GatewayUnavailable, Crashed, EngineRefused, AdmissionRefused, WatchdogLost, ProfileChanged,
	}
}

// fatal returns the outcome that a handler's word stands for. Strange words, and
// a claim of completion, mean that the gateway is not in order.
func fatal(o Outcome) Outcome {
	if o == Completed || !slices.Contains(Outcomes(), o) {
		return GatewayUnavailable
	}
	return o
}
