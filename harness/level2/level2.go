// Package level2 drives mutants of what decides in the gateway (its policies, its
// ceilings, its frame decoder) through the gateway itself: for each mutant that
// changes a decision, one call that shows it, as a line of bytes through the frame
// decoder, the gateway's call path and the measured tool server, to the observer
// at that server's sink.
//
// A call goes twice, with the same configuration but for the mutant and with a
// canary of its own each time; mutants with one witness share the session of the
// original. A mutant that widens is killed where the
// original's canary does not arrive and the mutant's does; one that narrows,
// where it is the other way round. So each silence has beside it the same call
// that was heard, and each session pilots of its own. Where what is mutated is
// doubled by another part of the configuration, that part is opened, and the
// row says so.
//
// It promises that no mutant is killed by a session that failed in another way,
// and that none which the gateway cannot be asked about counts as driven. It
// has no container: that an agent is held to this path is the campaign's matter.
package level2

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"postern/gateway"
)

// Status is what became of a mutant.
type Status string

// The statuses; the zero value is none of them.
const (
	Killed        Status = "killed"          // the sink saw in every direction what was foretold
	KilledByOther Status = "killed-by-other" // in memory: only which policies decide changes
	Survived      Status = "survived"        // the sink saw something else
	Equivalent    Status = "equivalent"      // in memory: no decision changes
	Stillborn     Status = "stillborn"       // the gateway does not open with it
	NotApplicable Status = "not-applicable"  // see Row.Reason
	Inconclusive  Status = "inconclusive"    // an observer was deaf, or the call failed in another way
	Error         Status = "error"           // a session could not be led
)

// Reason is why a mutant is not applicable.
type Reason string

// The reasons.
const (
	Unasked   Reason = "unasked"   // nothing that the agent does makes the gateway ask what it changes
	NotConfig Reason = "no-config" // it changes a step of the code, not the configuration
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
	Status   Status
	Reason   Reason
	Driven   []Drive // one for each direction that it has
}

// Drive is one witness of a mutant.
type Drive struct {
	Direction Direction
	Place     Place
	Opened    bool // another layer stops the call too, and was opened
	Status    Status
	Original  Heard
	Mutant    Heard
	Err       error // of a session that could not be led; no text of a frame or a tool
}

// Layer is the part of the gateway that a mutant changes.
type Layer string

// The layers.
const (
	Policy   Layer = "policy"
	Ceilings Layer = "ceilings"
	Frames   Layer = "frames"
)

// Place is where a witness arrives.
type Place string

// The places.
const (
	AtTool      Place = "tool"      // at the tool's own sink, where the observer listens
	AtAnswer    Place = "answer"    // with the agent: the tool was called, and its answer may be kept from it
	AtArguments Place = "arguments" // at the gateway's check of arguments, which refuses it: no tool is reached
)

// Options say what is driven and with what.
type Options struct {
	Subject  gateway.Config // but for Upstream and Audit
	Upstream string         // path of the tool server's executable
	Dir      string         // for what a session writes, private to this user; short, for it is part of a socket's path
	Workers  int            // sessions at a time; 0 is one for each processor
}

// Report is what a run came to.
type Report struct {
	Rows     []Row
	Sessions int // gateways opened, each with a tool server of its own
}

// Counts counts the rows by status.
func (r Report) Counts() map[Status]int {
	out := map[Status]int{}
	for _, row := range r.Rows {
		out[row.Status]++
	}
	return out
}

// Run makes the mutants, finds their witnesses and drives them. It fails only
// where nothing could be driven at all; a session that fails is in its row.
func Run(ctx context.Context, o Options) (Report, error) {
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU()
	}
	plans, err := plan(ctx, o.Subject)
	if err != nil {
		return Report{}, err
	}
	d, err := newDriver(o)
	if err != nil {
		return Report{}, err
	}
	var group errgroup.Group
	group.SetLimit(o.Workers)
	report := Report{Rows: make([]Row, len(plans))}
	for i, p := range plans {
		report.Rows[i] = p.row
		report.Rows[i].Driven = make([]Drive, len(p.witnesses))
		for j, w := range p.witnesses {
			group.Go(func() error {
				report.Rows[i].Driven[j] = d.both(ctx, p.row, w)
				return nil
			})
		}
	}
	group.Wait()
	for i := range report.Rows {
		report.Rows[i].settle()
	}
	report.Sessions = int(d.sessions.Load())
	return report, ctx.Err()
}

// planned is a mutant and what shows it.
type planned struct {
	row       Row
	witnesses []witness
}

func plan(ctx context.Context, c gateway.Config) ([]planned, error) {
	policies, err := policyPlans(ctx, c)
	if err != nil {
		return nil, err
	}
	ceilings, err := ceilingPlans(c)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(policies, ceilings, framePlans(c))
	if len(all) == 0 {
		return nil, errors.New("driving mutants: there are none")
	}
	return all, nil
}
