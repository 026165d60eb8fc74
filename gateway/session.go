package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"postern/gateway/audit"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/watchdog"
)

// Session is one agent's life: created, admitted, started, admitted again,
// handed its plaintext, served, stopped and removed.
//
// Run promises that plaintext enters only a container that admission passed
// twice, that a session in a container which was changed afterwards does not
// count as completed, and that none outlives Run, whatever fails in between. What Run
// cannot promise, its own death by SIGKILL, is for the sweep.
type Session struct {
	Config  Config
	Backend Backend
	Initial []byte            // the initial frame, one line without its end: plaintext
	Labels  map[string]string // of the container, besides LabelDeadline

	// Watchdog is the program that package watchdog arms, an absolute path
	// and what makes it call watchdog.Main. Without one a session begins only
	// where the subject's Supervision is off.
	Watchdog []string

	// Log is an audit log that other sessions write to as well. Where nil, the
	// session opens the one that Config.Audit names.
	Log *audit.Log

	// Waive, where set, is asked about refusals at a stage and may let the
	// session go on, or at its end let it count. Nil waives nothing. It exists for the harness, which
	// must see that a weakened container does leak; a test keeps it there.
	Waive func(context.Context, []confine.Refusal) bool

	// Weakened takes checks of what decides away. It exists for the harness,
	// which must see that a weakened gateway does release; a test keeps it there.
	Weakened Weakness

	Created  func(ctx context.Context, container string) error          // before the start
	Started  func(ctx context.Context, container string, pid int) error // admitted a second time
	Admitted func(*Gateway)                                             // before the watchdog is armed
	Armed    func(*watchdog.Lease)                                      // before the initial frame
	Reported func(ctx context.Context)                                  // the agent has said what it tried, and waits
	Stopped  func(ctx context.Context, container string) error          // before the removal
	Replied  func(bridge.Reply)                                         // to a call: what the agent is about to be sent
}

// Result is what a session came to: numbers and closed words.
type Result struct {
	Outcome   bridge.Outcome
	Refusals  []confine.Refusal // of admission, waived ones included
	Exchange  bridge.Result
	Decisions map[string]Tally // by tool
	Container string           // its id; empty where none was created
	ExitCode  int64
	Audit     audit.Head // end of the audit chain behind the session's last row: to be kept elsewhere than the log
}

// The bounds on what is not the agent's to prolong.
const (
	exitGrace    = 5 * time.Second  // from the end of output to the exit of the process
	cleanupBound = 10 * time.Second // for stopping, and for removing, even when cancelled
)

// Run leads the session to its end. An error means that the session could not
// be led; whatever the agent, the tool server or admission did is an Outcome.
func (s Session) Run(ctx context.Context) (result Result, err error) {
	if err := s.Config.Limits.Validate(); err != nil {
		return result, fmt.Errorf("starting a session: %w", err)
	}
	if len(s.Watchdog) == 0 && !s.Config.Watch.Off {
		return result, errors.New("starting a session: there is no watchdog program")
	}
	var group errgroup.Group
	var gw *Gateway
	var gwErr error
	var host []confine.Refusal
	group.Go(func() error { gw, gwErr = open(ctx, s.Config, loan{log: s.Log, weak: s.Weakened}); return nil })
	group.Go(func() (err error) { host, err = s.Backend.Preflight(ctx); return err })
	box, createErr := s.Backend.Create(ctx, s.Config, s.labels())
	preflightErr := group.Wait()
	if gw != nil {
		defer func() {
			err = errors.Join(err, gw.Close())
			result.Audit = gw.Head()
		}()
	}
	if createErr == nil {
		result.Container = box.ID()
		defer func() { err = errors.Join(err, remove(ctx, box)) }()
	}
	switch {
	case errors.Is(createErr, ErrRefused):
		result.Outcome = bridge.EngineRefused
		return result, nil
	case preflightErr != nil:
		return result, preflightErr
	case createErr != nil:
		return result, createErr
	case gwErr != nil:
		return result, gwErr
	}
	live := &run{Session: s, gateway: gw, result: &result, box: box}
	err = live.lead(ctx, host)
	result.Decisions = gw.Decisions()
	return result, err
}

// LabelDeadline holds the Unix time, in seconds, after which a container of a
// session has no right to be there, whoever made it.
const LabelDeadline = "postern.deadline"

func (s Session) labels() map[string]string {
	labels := map[string]string{}
	maps.Copy(labels, s.Labels)
	limit := cmp.Or(s.Config.Limits.Session, bridge.DefaultLimits().Session) + 2*cleanupBound
	labels[LabelDeadline] = strconv.FormatInt(time.Now().Add(limit).Unix(), 10)
	return labels
}

// remove takes a box away with what it holds, even when ctx is over.
func remove(ctx context.Context, box Box) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupBound)
	defer cancel()
	return box.Remove(ctx)
}
