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

// Standing is what the mutants of a control show of it. The zero value counts
// as unproved.
type Standing string

// The standings.
const (
	LoadBearing  Standing = "load-bearing"   // removing it alone opens a channel
	Redundant    Standing = "redundant"      // removing it opens a channel only together with its partners
	Inert        Standing = "inert"          // removing it opens nothing here, alone or beside others, for a declared reason
	Inapplicable Standing = "not-applicable" // this machine could run none of its mutants
	Unproved     Standing = "unproved"       // none of these was shown
)

// Profile names a set of controls that a subject has in place.
type Profile string

// The profiles.
const (
	Reference Profile = "reference"
	Hardened  Profile = "hardened"
)

// Reader is who can receive what a residual channel carries.
type Reader string

// The readers.
const (
	HostRoot       Reader = "host-root"       // root on the host
	EngineAPI      Reader = "engine-api"      // whoever may call the Engine
	AuditLog       Reader = "audit-log"       // whoever may read the gateway's audit log
	HostUser       Reader = "host-user"       // any user on the host
	SameUID        Reader = "same-uid"        // a process on the host with the agent's uid
	OtherUID       Reader = "other-uid"       // a process on the host with any other uid
	OtherContainer Reader = "other-container" // another container under the same profile
	ToolServer     Reader = "tool-server"     // what receives the permitted calls
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
