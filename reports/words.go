package reports

// Kind is what a trial is for.
type Kind string

// The kinds. There is no safe default: an empty kind is refused.
const (
	Protected   Kind = "protected"    // all controls in place
	Mutant      Kind = "mutant"       // a control weakened
	FailureMode Kind = "failure-mode" // all controls in place, something breaks
	Supervision Kind = "supervision"  // all controls in place, the trusted side is hurt while the agent holds plaintext
)

// Status is what became of a mutant. Empty for other kinds of trial; an empty
// status of a mutant counts as inconclusive.
type Status string

// The statuses.
const (
	Killed           Status = "killed"
	KilledByOther    Status = "killed-by-other"
	Survived         Status = "survived"
	Equivalent       Status = "equivalent"
	Stillborn        Status = "stillborn"
	TimedOut         Status = "timeout"
	Failed           Status = "error"
	NotApplicable    Status = "not-applicable"
	InconclusiveKill Status = "inconclusive"
)

// Verdict is the oracle's word on a trial. Anything but the other two counts
// as inconclusive.
type Verdict string

// The verdicts.
const (
	Contained    Verdict = "contained"
	Leaked       Verdict = "leaked"
	Inconclusive Verdict = "inconclusive"
)

// RefusedAt is when admission looked.
type RefusedAt string

// The stages of admission.
const (
	Host    RefusedAt = "host"  // before anything was created
	Image   RefusedAt = "image" // the image that would be used
	Created RefusedAt = "created"
	Started RefusedAt = "started"
	Ended   RefusedAt = "ended" // after the exchange, before the removal
)

// Container is how a trial's container was found at its end.
type Container string

// The states.
const (
	Absent  Container = "absent"
	Running Container = "running"
	Exited  Container = "exited"
)

// Stray is the channel of an arrival that no registered channel explains. It
// occurs in openings only.
const Stray = "stray"

// Unknown stands for a fact about the machine that could not be read.
const Unknown = "unknown"

// Other stands for a fact about the machine that has no word here.
const Other = "other"
