package spawn

import "postern/gateway/guard"

// Refused is the error of a server that was not started.
type Refused struct {
	Reason guard.Reason
	Says   string // what it means, and what to do
}

func (r *Refused) Error() string { return "the tool server was not started: " + r.Says }
