package harness

import (
	"context"
	"errors"
	"fmt"

	"postern/fixtures/channel"
	"postern/fixtures/policy"
	"postern/gateway"
	"postern/observers"
	"postern/reports"
)

// record notes what the session came to.
func (t *trial) record(r gateway.Result) {
	t.row.Outcome = string(r.Outcome)
	t.row.StdoutBytes, t.row.StderrBytes = r.Exchange.StdoutBytes, r.Exchange.StderrBytes
	for _, refusal := range r.Refusals {
		t.row.Refused = append(t.row.Refused, reports.Refusal{Stage: reports.RefusedAt(refusal.Stage), Control: string(refusal.Control)})
	}
	for _, tally := range r.Decisions {
		t.row.Allowed += tally.Allowed
		t.row.Denied += tally.Denied
	}
	t.row.Attempts = attempts(t.spec.Expect.Probes, r)
}

// collect takes what observers saw into the trial's row. One that could not
// look to the end may have seen something all the same.
func (t *trial) collect(ctx context.Context, from []observers.Observer) error {
	var errs []error
	for _, o := range from {
		report, err := o.Collect(t.posts.waiting(ctx, o))
		if err != nil {
			errs = append(errs, fmt.Errorf("collecting at %s: %w", o.Sink(), err))
		}
		t.note(report)
	}
	return errors.Join(errs...)
}

func (t *trial) note(r observers.Report) {
	h := r.Hearing
	t.row.Hearings = append(t.row.Hearings, reports.Hearing{
		Sink: string(h.Sink), PilotsSent: h.PilotsSent, PilotsHeard: h.PilotsHeard,
		Units: h.Units, Bytes: h.Bytes, Drops: h.Drops,
	})
	for _, seen := range r.Observations {
		t.row.Observations = append(t.row.Observations, reports.Observation{
			Channel: string(seen.Channel), Sink: string(seen.Sink), Sightings: seen.Sightings,
		})
	}
}

// attempts lists which planned probes were tried: those of the agent's report
// with its errno, and tool calls as the gateway itself decided them. Whatever
// else the agent reports is dropped: it could be a payload.
func attempts(planned []channel.ID, r gateway.Result) []reports.Attempt {
	rows := []reports.Attempt{}
	for _, id := range planned {
		if errno, ok := r.Exchange.Attempts[string(id)]; ok && !isTool(id) {
			rows = append(rows, reports.Attempt{Channel: string(id), Errno: errno})
		}
		if tally := r.Decisions[toolOf(id)]; isTool(id) && tally.Allowed+tally.Denied > 0 {
			rows = append(rows, reports.Attempt{Channel: string(id)})
		}
	}
	return rows
}

func isTool(id channel.ID) bool { return toolOf(id) != "" }

// toolOf names the reference catalogue's tool behind a tool channel.
func toolOf(id channel.ID) string {
	switch id {
	case channel.ToolPermitted:
		return policy.PermittedTool
	case channel.ToolPublic:
		return policy.PublicTool
	}
	return ""
}
