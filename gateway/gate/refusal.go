package gate

// Code is a closed word: why a call, an update or a state file was refused.
type Code string

// The codes.
const (
	// Of calls.
	Revoked     Code = "revoked"      // the tool is revoked
	Closed      Code = "closed"       // nothing is admitted, whatever the tool; of updates: after Close
	UnknownTool Code = "unknown-tool" // not of the original set; of updates too
	Canceled    Code = "canceled"     // the context ended before the call was admitted

	// Of updates.
	Malformed     Code = "malformed"         // not the JSON object that ParseUpdate describes
	RevisionType  Code = "revision-type"     // no unsigned integer
	Overflow      Code = "revision-overflow" // above MaxRevision
	Stale         Code = "revision-stale"    // below the known one, or 0
	Repeated      Code = "revision-repeated" // the known one
	DuplicateTool Code = "duplicate-tool"    // a tool twice
	Expired       Code = "expired"           // the context ended before every admitted call had
	NotDurable    Code = "not-durable"       // the state file does not take it

	// Of state files.
	StateMissing   Code = "state-missing"     // there is none, and none may be made
	StateExposed   Code = "state-exposed"     // no regular file, or not this user's alone
	StateTruncated Code = "state-truncated"   // its end is missing
	StateMalformed Code = "state-malformed"   // not what a gate writes
	StateTools     Code = "state-other-tools" // of another set of tools
	StateOlder     Code = "state-older"       // below the known revision
	StateChanged   Code = "state-changed"     // not what this gate wrote last
	StateInUse     Code = "state-in-use"      // another gate has it
)

// Codes returns the whole vocabulary in a fixed order.
func Codes() []Code {
	return []Code{
		Revoked, Closed, UnknownTool, Canceled,
		Malformed, RevisionType, Overflow, Stale, Repeated, DuplicateTool, Expired, NotDurable,
		StateMissing, StateExposed, StateTruncated, StateMalformed, StateTools, StateOlder,
		StateChanged, StateInUse,
	}
}

// Refusal is the error of whatever the gate refuses. Its text is fixed words
// and, at most, an error of the context or of the file system.
type Refusal struct {
	Code  Code
	cause error
}

func (r *Refusal) Error() string {
	if r.cause == nil {
		return "policy gate: " + string(r.Code)
	}
	return "policy gate: " + string(r.Code) + ": " + r.cause.Error()
}

func (r *Refusal) Unwrap() error { return r.cause }

func refuse(c Code, cause error) error { return &Refusal{Code: c, cause: cause} }
