package audit

import (
	"context"
	"errors"
	"math"
)

// Session is one gateway session's part of a log, and the key of its
// commitments. Safe for concurrent use.
type Session struct {
	log    *Log
	id     string
	secret secret
}

// Session begins a session. Its id is its name in rows; it must never have
// been used before.
func (l *Log) Session(id string) *Session {
	return &Session{log: l, id: id, secret: l.weak.secret(id)}
}

// Append adds a row. When it returns nil the row is on disk; when it returns
// an error, including ctx's, the row may or may not be there.
func (s *Session) Append(ctx context.Context, e Entry) error {
	if e.Code == SessionClosed || e.Revision > math.MaxInt64 {
		return errors.New("appending an audit row: it is none of a decision")
	}
	return s.log.append(ctx, row{
		session: s.id, call: e.Call, tool: e.Tool, code: e.Code,
		policy: e.Policy, revision: int64(e.Revision), label: e.Label,
		commitment: s.log.weak.commit(s.secret, e.Call, e.Payload),
	})
}

// End adds the session's last row and forgets its key. No Append may be under
// way or follow.
func (s *Session) End(ctx context.Context) error {
	s.secret = secret{}
	if s.log.weak.Unclosed {
		return nil
	}
	return s.log.append(ctx, row{session: s.id, code: SessionClosed})
}

// Key is what opens the session's commitments, to be kept apart from the log
// or not at all: where nobody keeps it, it is gone with End.
func (s *Session) Key() Key { return Key{Session: s.id, secret: s.secret} }
