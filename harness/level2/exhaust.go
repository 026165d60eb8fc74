package level2

import (
	"context"

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
