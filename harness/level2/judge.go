package level2

// Heard is what one session came to: numbers and the gateway's closed words.
type Heard struct {
	Sound     bool   // the observer heard its pilots and lost nothing
	Calls     int    // that the tool recorded
	Sightings int    // of the session's own canary at the sink
	Code      string // of the first reply, or that there was none; "" where the tool's answer came
}

// stopped are the words of the gateway for a call that a layer stops.
var stopped = map[Layer]string{Policy: "denied-policy", Ceilings: "denied-ceiling", Frames: refused}

// More words of the gateway's, but for refused, which ends a session without one.
const (
	withheld  = "denied-response" // for an answer that the agent may not have
	malformed = "bad-arguments"   // for a call that reached the check of its arguments, and no tool
	refused   = "frame-refused"
)

// arrived reports whether the witness arrived; ok is false where the session says
// nothing about the layer, because it failed in another way.
func arrived(l Layer, p Place, h Heard) (there, ok bool) {
	released := h.Code == "" || h.Code == withheld // the tool was called
	switch {
	case !h.Sound || h.Calls != h.Sightings || h.Calls > 1:
		return false, false
	case p == AtArguments:
		return h.Code == malformed, h.Sightings == 0 && (h.Code == malformed || h.Code == stopped[l])
	case p == AtAnswer:
		return h.Code == "", released && h.Sightings == 1
	case released:
		return true, h.Sightings == 1
	case h.Code == stopped[l]:
		return h.Sightings == 1, true
	}
	return false, false
}

// judge compares two sessions with what was foretold.
func judge(l Layer, p Place, d Direction, original, mutant Heard) Status {
	before, ok := arrived(l, p, original)
	after, sure := arrived(l, p, mutant)
	switch {
	case !ok || !sure:
		return Inconclusive
	case d == Widens && !before && after, d == Narrows && before && !after:
		return Killed
	}
	return Survived
}

// settle sets a row's status by what was driven, the gravest first.
func (r *Row) settle() {
	if len(r.Driven) == 0 {
		return
	}
	r.Status = Killed
	for _, s := range []Status{Inconclusive, Error, Survived} {
		for _, d := range r.Driven {
			if d.Status == s {
				r.Status = s
			}
		}
	}
}
