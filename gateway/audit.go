package gateway

import (
	"context"
	"errors"
	"time"

	"postern/gateway/audit"
)

// recordTimeout bounds the wait for an audit row: a disk that others write to may
// take seconds for one fsync.
const recordTimeout = 5 * time.Second

// OpenIn is Open with an audit log that several sessions write to: what they
// record at the same time waits for the disk together. The log is the caller's
// to close, and Config.Audit names nothing.
func OpenIn(ctx context.Context, c Config, log *audit.Log) (*Gateway, error) {
	return open(ctx, c, loan{log: log})
}

// openAudit opens the log, unless it is a shared one, and begins this session's
// part of it.
func (g *Gateway) openAudit(ctx context.Context) (err error) {
	if g.log == nil {
		if g.log, err = g.openLog(ctx); err != nil {
			return err
		}
		g.ownLog = true
	}
	g.trail = g.log.Session(g.id)
	if g.config.AuditKeys != "" {
		_, err = g.trail.Key().Keep(g.config.AuditKeys)
	}
	return err
}

// closeAudit adds the session's last row. In a log that takes no rows any more
// there is none: every call was refused since, and the missing row says so.
func (g *Gateway) closeAudit() error {
	var ended, closed error
	if g.trail != nil {
		ctx, cancel := context.WithTimeout(context.Background(), recordTimeout)
		defer cancel()
		if ended = g.trail.End(ctx); errors.Is(ended, audit.ErrBroken) {
			ended = nil
		}
	}
	if g.ownLog {
		closed = g.log.Close()
	}
	return errors.Join(ended, closed)
}

// recorded makes a verdict durable, also when the session is over by now, and
// reports whether it is.
func (g *Gateway) recorded(ctx context.Context, c call, v verdict, about audit.Payload) bool {
	if g.weak.Rows.without(v) {
		return true
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	err := g.trail.Append(ctx, audit.Entry{
		Call:     c.number,
		Tool:     c.tool.Name,
		Code:     string(v),
		Policy:   g.policies.Digest,
		Revision: c.revision,
		Label:    string(c.label),
		Payload:  about,
	})
	return err == nil || g.weak.AuditUnasked
}

// Head is the end of the audit chain: kept outside the file, it anchors it.
func (g *Gateway) Head() audit.Head { return g.log.Head() }
