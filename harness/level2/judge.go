package level2

// Heard is what one session came to: numbers and the gateway's closed words.
type Heard struct {
	Sound     bool // the observer heard its pilots and lost nothing
	Calls     int  // that the tool recorded, but for one that was made before or behind it
	Sightings int  // of the session's own canary at the sink
	Sent      int  // of it in what the agent was sent
	Code      Code // of the first reply, or that there was none; "" where the tool's answer came
	Told      int  // calls of which there is a span that a collector took, and a line of the log
	Exhaust   Exhaust
}

// Code is how a call ended: a word of the gateway's for the agent, or one of
// these.
type Code string

// More words, for what has no reply.
const (
	refused    Code = "frame-refused"     // the decoder refused the line
	noConfig   Code = "config-refused"    // the gateway did not open: see gateway.Step
	noPolicies Code = "policies-refused"  //
	noLabels   Code = "labels-refused"    //
	noTools    Code = "catalogue-refused" //
	noServer   Code = "server-refused"    //
	unready    Code = "unready"           // what was to come before the call did not
)

// Words of the gateway's.
const (
	withheld  Code = "denied-response"     // for an answer that the agent may not have
	malformed Code = "bad-arguments"       // for a call that reached the check of its arguments, and no tool
	byPolicy  Code = "denied-policy"       //
	byCeiling Code = "denied-ceiling"      //
	unknown   Code = "unknown-operation"   //
	byGate    Code = "denied-revoked"      //
	failed    Code = "upstream-failed"     //
	unheard   Code = "gateway-unavailable" // it could not be recorded
)

// Stops lists every word by which a call may end that is stopped.
func Stops() []Code {
	return []Code{refused, noConfig, noPolicies, noLabels, noTools, noServer, withheld, malformed, byPolicy, byCeiling, unknown, byGate, failed, unheard}
}

// arrived reports whether the witness arrived; ok is false where the session says
// nothing about what is mutated, because it failed in another way.
func arrived(stop Code, p Place, h Heard) (there, ok bool) {
	released := h.Code == "" || h.Code == withheld // the tool was called
	wrote, exhaust := h.Exhaust.at(p)
	switch {
	case p == AtWire: // the call itself says nothing, and must have come there
		return h.Sightings > 0, h.Sound && h.Calls == 1 && h.Code == stop
	case !h.Sound || h.Calls != h.Sightings:
		return false, false
	case exhaust: // and where nothing stopped the call, it must really have arrived
		return wrote > 0, h.Code == stop && (h.Sightings > 0 || stop != "") && h.Told > 0
	case h.Calls > 1:
		return false, false
	case p == AtAgent: // what the tool received it may say, but not there
		return h.Sent > 0, h.Sightings == 1 && (h.Code == "" || h.Code == stop)
	case p == AtArguments:
		return h.Code == malformed, h.Sightings == 0 && (h.Code == malformed || h.Code == stop)
	case p == AtAnswer:
		return h.Code == "", h.Sightings == 1 && (released || h.Code == stop)
	case released:
		return true, h.Sightings == 1
	case h.Code == stop:
		return h.Sightings == 1, true
	}
	return false, false
}

// Judge compares the two sessions of a drive with what was foretold.
func Judge(d Drive) Status {
	before, ok := arrived(d.Stop, d.Place, d.Original)
	after, sure := arrived(d.Stop, d.Place, d.Mutant)
	switch {
	case !ok || !sure:
		return Inconclusive
	case d.Direction == Widens && !before && after, d.Direction == Narrows && before && !after:
		return Killed
	}
	return Survived
}

// Settle is what became of a mutant: what was foretold in memory, if all that was
// driven for it came out as foretold, and else the gravest of what was driven.
func Settle(foretold Status, driven []Drive) Status {
	for _, s := range []Status{Survived, Error, Inconclusive} {
		for _, d := range driven {
			if d.Status == s || d.Status != Killed && s == Inconclusive {
				return s
			}
		}
	}
	if foretold == Killed && len(driven) == 0 {
		return Inconclusive
	}
	return foretold
}
