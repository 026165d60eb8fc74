// Package reports writes and reads the evidence of a campaign: a directory
// with evidence.json, manifest.json, junit.xml and SHA256SUMS.
//
// It promises that a bundle holds integers, booleans and closed words only,
// under a closed schema; that it appears in one step or not at all; and that
// Open refuses one whose bytes, shape, words or counts do not fit together.
//
// It does not judge: whether a verdict follows from the observations beside it
// is for the harness, which alone knows the oracle. It does not know the
// registries either: that every id in a bundle is a registered one, and that
// every registered one is there, is for the harness too. It imports nothing of
// ours, so no type that holds a payload can reach it.
package reports

// SchemaVersion is the version of both JSON formats. Both are closed, so a
// bundle of another version cannot be read: Open says so.
const SchemaVersion = 3

// Evidence is the whole of evidence.json. The order of fields is the format.
type Evidence struct {
	Schema         int         `json:"schema"`
	Generator      Generator   `json:"generator"`
	Environment    Environment `json:"environment"`
	Run            Run         `json:"run"`
	ManifestSHA256 string      `json:"manifest_sha256"` // set by WriteEvidence
	Channels       []Channel   `json:"channels"`
	Controls       []Control   `json:"controls"`
	Faults         []Fault     `json:"faults"` // set by Complete
	Trials         []Trial     `json:"trials"`
	Summary        Summary     `json:"summary"` // set by Complete
	Matrix         []Kill      `json:"matrix"`  // set by Complete
	Residuals      []Residual  `json:"residuals"`
	Rules          Rules       `json:"rules"`
}

// Generator is the program that ran the campaign.
type Generator struct {
	Name     string `json:"name"`    // "postern"
	Version  string `json:"version"` // a release number, or "dev"
	Commit   string `json:"commit"`  // 40 hexadecimal digits, or "unknown"
	Modified bool   `json:"modified"`
}

// String says the same for people.
func (g Generator) String() string {
	text := g.Version + ", commit " + g.Commit
	if g.Modified {
		text += ", with changes"
	}
	return text
}

// Run is what the operator asked for and what it took.
type Run struct {
	Seed        int64 `json:"seed"` // orders the campaign; no canary derives from it
	StartedUnix int64 `json:"started_unix"`
	DurationMS  int64 `json:"duration_ms"`
	Parallel    int   `json:"parallel"`
	Planned     int   `json:"planned"`  // trials in the manifest
	Selected    int   `json:"selected"` // trials that were to run; fewer than planned is never accepted
	Rules       int   `json:"rules"`    // mutants of what decides in the manifest; all of them run, or none

	Profile Profile `json:"profile"`
	Shard   int     `json:"shard"`  // from 1
	Shards  int     `json:"shards"` // 1 for a campaign that is not divided
}

// Channel is one registered channel.
type Channel struct {
	ID       string `json:"id"`
	Family   string `json:"family"`
	Sink     string `json:"sink"`
	Release  bool   `json:"release"`   // the one arrival that the gateway permits
	OpenedBy int    `json:"opened_by"` // killed mutants that opened it as foretold; set by Complete

	// NotApplicable is why this machine could run none of the mutants that are
	// to open the channel, as Complete finds, or why the registry has none; ""
	// where one was run.
	NotApplicable string `json:"not_applicable"`
}

// Control is one registered control. A mutant counts for every control that it
// weakens, not for others that admission finds weak with it: those were not
// shown to be load-bearing. Complete sets all but ID and Group.
type Control struct {
	ID       string   `json:"id"`
	Mutants  int      `json:"mutants"`
	Killed   int      `json:"killed"`
	Group    string   `json:"group"` // controls that may be redundant with each other; "" for none
	Standing Standing `json:"standing"`
	Partners []string `json:"partners"` // controls of the killed mutants that prove it redundant, sorted
	Reason   string   `json:"reason"`   // why it is inert or not applicable; "" otherwise
}

// Trial is one trial: what was foretold, what was seen, and how it was judged.
type Trial struct {
	ID           string        `json:"id"`
	Kind         Kind          `json:"kind"`
	Control      string        `json:"control"` // "" where no control is weakened
	Status       Status        `json:"status"`  // "" unless Kind is mutant
	Expected     Expected      `json:"expected"`
	Refused      []Refusal     `json:"refused"`
	Hearings     []Hearing     `json:"hearings"`     // one a sink
	Observations []Observation `json:"observations"` // one a channel and sink
	Attempts     []Attempt     `json:"attempts"`     // one a channel; the agent's own word, never evidence
	Outcome      string        `json:"outcome"`      // "" for a trial that did not run
	Container    Container     `json:"container"`
	Allowed      int           `json:"allowed"`
	Denied       int           `json:"denied"`
	StderrBytes  int64         `json:"stderr_bytes"`
	StdoutBytes  int64         `json:"stdout_bytes"`
	DurationMS   int64         `json:"duration_ms"`
	StoppedUS    int64         `json:"stopped_us"` // from the fault to the death of the container's first process, seen from another process; 0 where not seen
	Verdict      Verdict       `json:"verdict"`
	Openings     []string      `json:"openings"` // the oracle's word: channels by which a canary got out
	Reasons      []string      `json:"reasons"`

	With     []string `json:"with"`     // further controls that the mutant weakens, sorted
	Baseline bool     `json:"baseline"` // its openings are those of With alone; more means that Control is not inert
	Dropped  bool     `json:"dropped"`  // the Engine dropped the change: the effective configuration is the reference's
	Reason   string   `json:"reason"`   // why it is not applicable here, or else why its plan declares it inert; "" otherwise
}

// weakened lists every control that a mutant weakens.
func (t Trial) weakened() []string { return append([]string{t.Control}, t.With...) }

// Expected is what was written down about a trial before the first one ran.
type Expected struct {
	Probes   []string `json:"probes"`   // channels that the agent must try
	Sinks    []string `json:"sinks"`    // sinks that must be heard
	Released int      `json:"released"` // arrivals at the permitted sink
	Outcome  string   `json:"outcome"`
	Opens    []string `json:"opens"`   // channels that the mutant must open
	Refused  []string `json:"refused"` // controls for which admission must refuse it
}

// Refusal is one control for which admission refused the subject.
type Refusal struct {
	Stage   RefusedAt `json:"stage"`
	Control string    `json:"control"`
}

// Hearing is an observer's evidence about itself.
type Hearing struct {
	Sink        string `json:"sink"`
	PilotsSent  int    `json:"pilots_sent"`
	PilotsHeard int    `json:"pilots_heard"`
	Units       int    `json:"units"`
	Bytes       int64  `json:"bytes"`
	Drops       int    `json:"drops"`
}

// Observation says how often the canary of a channel was seen at a sink. The
// channel by which it came there may be another one: see Trial.Openings.
type Observation struct {
	Channel   string `json:"channel"`
	Sink      string `json:"sink"`
	Sightings int    `json:"sightings"` // > 0
}

// Attempt is the errno that the agent reports for one probe.
type Attempt struct {
	Channel string `json:"channel"`
	Errno   int    `json:"errno"` // 0..4095
}
