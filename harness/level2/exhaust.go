package level2

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"postern/gateway"
	"postern/gateway/telemetry"
	"postern/observers"
)

// Exhaust is what the gateway itself wrote in the course of a session, where
// nothing of a call may stand: counts of faults, all zero for the reference.
type Exhaust struct {
	Audit   int // sightings of the session's canary in the files of its audit log
	Guesses int // calls in that log which a dictionary opens, without a key
	Spans   int // sightings in what a collector of its spans was sent
	Log     int // sightings in its log
	Rows    int // rows that are missing, not linked to the one before, or like another; and sessions without a last one
}

// at is what counts at a place; ok is false of one where the gateway writes nothing.
func (e Exhaust) at(p Place) (count int, ok bool) {
	switch p {
	case AtAuditFile:
		return e.Audit, true
	case AtDictionary:
		return e.Guesses, true
	case AtRows:
		return e.Rows, true
	case AtSpans:
		return e.Spans, true
	case AtLog:
		return e.Log, true
	}
	return 0, false
}

// tell has a gateway tell of its calls where observers listen.
func (p place) tell(c *gateway.Config, name string) {
	c.Telemetry = telemetry.Options{Collector: p.spans.Addr(), Log: filepath.Join(p.log.Dir(), name)}
}

// told counts the calls of a session whose gateway is closed, of which there is
// both a span that was taken and a line.
func (p place) told(g *gateway.Gateway, name string) (int, error) {
	lines, err := os.ReadFile(filepath.Join(p.log.Dir(), name))
	if err != nil {
		return 0, fmt.Errorf("reading a gateway's log: %w", err)
	}
	return min(int(g.Spans().Sent), bytes.Count(lines, []byte{'\n'})), nil
}

// examine looks into the audit log of a session whose gateway is closed. It must
// have a row for every call that the gateway was handed, one for every call that
// a tool received, and a last one.
func (d *driver) examine(ctx context.Context, s *session, log string, handed, received int) error {
	rows, err := observers.ReadAudit(ctx, log)
	if err != nil {
		return err
	}
	s.heard.Exhaust.Rows = max(handed+received+1-rows.Rows, 0) + rows.Unlinked + rows.Unended + rows.Alike
	s.heard.Exhaust.Guesses, err = rows.Guess(log, operation(s.config, s.asks.tool), d.entry(s.id).Canary)
	return err
}
