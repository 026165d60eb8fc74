// Package level2 drives mutants of all that decides in the gateway through the
// gateway itself: of its policies and ceilings, of aliases and catalogue, and of
// the code that reads frames, arguments and labels, asks policies and ceilings
// and keeps the audit. For each mutant that changes a decision there is one call
// that shows it, as a line of bytes through the frame decoder, the gateway's call
// path and the measured tool server, to the observer at that server's sink.
//
// A call goes twice, with the same subject but for the mutant and with a canary of
// its own each time; mutants with one witness share the session of the original. A
// mutant that widens is killed where the original's canary does not arrive and the
// mutant's does; one that narrows, where it is the other way round. So each silence
// has beside it the same call that was heard. Where what is mutated is doubled by
// another check, that one is opened on both sides, and the row says so.
//
// Sessions whose tool server behaves alike share one process of it and one
// observer, whose pilots are heard before the first and after the last of them.
// One of each operator goes through a real container as well, whose agent writes
// the line; of what lies behind the decision, one of each place where it shows.
//
// It promises that no mutant is killed by a session that failed in another way,
// and that none which the gateway cannot be asked about counts as driven.
package level2

import (
	"context"
	"errors"
	"slices"

	"postern/gateway"
)

// Status is what became of a mutant.
type Status string

// The statuses; the zero value is none of them.
const (
	Killed        Status = "killed"          // the sink saw in every direction what was foretold
	KilledByOther Status = "killed-by-other" // in memory: only which policies decide changes
	Survived      Status = "survived"        // the sink saw something else, or nothing depends on what was changed
	Equivalent    Status = "equivalent"      // in memory: no decision changes. With a partner one does, and where that can be driven it was seen
	Stillborn     Status = "stillborn"       // the gateway does not open with it. Without that check a decision changes, and that was seen
	NotApplicable Status = "not-applicable"  // nothing makes the gateway ask it
	Inconclusive  Status = "inconclusive"    // an observer was deaf, or the call failed in another way
	Error         Status = "error"           // a session could not be led
)

// Reason is why a mutant is not applicable.
type Reason string

// The reasons. What is Unasked is killed in memory, but nothing that the agent
// does makes the gateway ask what it changes. What is Accepted is dead, and
// accepted.json says why it stays.
const (
	Unasked  Reason = "unasked"
	Accepted Reason = "accepted"
)

// Direction is how a mutant changes a decision.
type Direction string

// The directions.
const (
	Widens  Direction = "widens"  // what was denied is released
	Narrows Direction = "narrows" // what was released is denied
)

// Row is what became of one mutant.
type Row struct {
	Mutant   string
	Layer    Layer
	Operator string
	Why      string
	Status   Status  // of a plan's row what is foretold
	Foretold Status  // of a driven row
	Reason   Reason  // why it is not applicable, or may stay
	Partner  string  // of a masked mutant: the one with which a decision changes that neither changes alone
	Dead     bool    // no decision depends on what was changed, alone or with another
	Digest   string  // of what can be accepted: another change, or of something else, is not
	Driven   []Drive // one for each witness
}

// Drive is one witness of a mutant.
type Drive struct {
	Direction Direction
	Place     Place
	Stop      Code
	Opened    bool // another check stops the call too, and was opened
	Contained bool // it went through a container
	Status    Status
	Original  Heard
	Mutant    Heard
	Err       error // of a session that could not be led; no text of a frame or a tool
}

// Layer is the part of the gateway that a mutant changes.
type Layer string

// The layers, in the order in which a call meets them.
const (
	Calls      Layer = "calls" // what an MCP client says beside a tool's arguments
	Frames     Layer = "frames"
	Catalogue  Layer = "catalogue"
	Aliases    Layer = "aliases"
	Gate       Layer = "gate"
	Arguments  Layer = "arguments"
	Validation Layer = "validation" // of requests and policies against the schema
	Errors     Layer = "errors"     // of policies
	Policy     Layer = "policy"
	Labels     Layer = "labels"
	Ceilings   Layer = "ceilings"
	Answers    Layer = "answers"
	Asides     Layer = "asides" // what a tool server says beside them
	Audit      Layer = "audit"

	Commitments Layer = "commitments" // what rows hold of payloads
	Rows        Layer = "rows"        // of the audit log
	Spans       Layer = "spans"
	Log         Layer = "log" // of the gateway itself
)

// Layers returns them all.
func Layers() []Layer {
	return []Layer{Calls, Frames, Catalogue, Aliases, Gate, Arguments, Validation, Errors, Policy, Labels, Ceilings, Answers, Asides, Audit, Commitments, Rows, Spans, Log}
}

// Place is where a witness arrives.
type Place string

// The places.
const (
	AtTool      Place = "tool"      // at the tool's own sink, where the observer listens
	AtWire      Place = "wire"      // in the lines that the tool server reads, where of the call only its arguments may stand
	AtAnswer    Place = "answer"    // with the agent: the tool was called, and its answer may be kept from it
	AtAgent     Place = "agent"     // in what the agent is sent, where nothing of it may stand
	AtArguments Place = "arguments" // at the gateway's check of arguments, which refuses it: no tool is reached

	// Places of the gateway's own exhaust: the call ends alike with and without the
	// mutant, and what the gateway writes of it is looked at. See Exhaust.
	AtAuditFile  Place = "audit-file" // the bytes of its audit log
	AtDictionary Place = "dictionary" // what a dictionary opens there
	AtRows       Place = "rows"       // how many rows there are, and how they are linked
	AtSpans      Place = "spans"      // what a collector of its spans is sent
	AtLog        Place = "log"        // the bytes of its log
)

// Plan is all mutants of a subject, what is known of them in memory, and the
// witnesses of those that are to be driven. It is made without driving any.
type Plan struct {
	Rows     []Row // in a fixed order; Driven says what is foretold
	Policies Proof
	Labels   Proof
	Wiring   Proof

	witnesses [][]witness // of each row
}

// Proof is what is needed to compare in memory again. What is equivalent comes
// to the original's outcomes.
type Proof struct {
	Generator int    // version of what derives the domain
	Size      int    // of the domain: requests, or sessions
	Domain    string // its SHA-256
	Outcomes  string // SHA-256 of what the original comes to
}

// NewPlan makes the mutants of a subject and finds their witnesses.
func NewPlan(ctx context.Context, c gateway.Config) (*Plan, error) {
	p := &Plan{}
	policies, err := policyPlans(ctx, c, &p.Policies)
	if err != nil {
		return nil, err
	}
	ceilings, err := ceilingPlans(c, &p.Labels)
	if err != nil {
		return nil, err
	}
	for _, m := range slices.Concat(codePlans(c), wiringPlans(c, &p.Wiring), policies, ceilings) {
		p.add(m)
	}
	if err := accept(p.Rows); err != nil {
		return nil, err
	}
	if len(p.Rows) == 0 {
		return nil, errors.New("driving mutants: there are none")
	}
	return p, nil
}

func (p *Plan) add(m planned) {
	for _, w := range m.witnesses {
		m.row.Driven = append(m.row.Driven, Drive{Direction: w.direction, Place: w.place, Stop: w.stop, Opened: w.opened})
	}
	p.Rows, p.witnesses = append(p.Rows, m.row), append(p.witnesses, m.witnesses)
}

// planned is a mutant and what shows it.
type planned struct {
	row       Row
	witnesses []witness
}

// Counts counts rows by status.
func Counts(rows []Row) map[Status]int {
	out := map[Status]int{}
	for _, row := range rows {
		out[row.Status]++
	}
	return out
}
