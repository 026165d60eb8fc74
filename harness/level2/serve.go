package level2

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	_ "modernc.org/sqlite" // for what breaks an audit log

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/audit/audittest"
	"postern/gateway/bridge"
	"postern/gateway/frame"
	"postern/gateway/gate"
	"postern/gateway/upstream"
	"postern/observers"
)

// lead leads sessions at a place.
type lead func(ctx context.Context, at place, all []*session) error

// serve leads sessions with one observer, whose pilots are heard before and
// after. What went wrong with all of them is in each.
func (d *driver) serve(ctx context.Context, all []*session, how lead) {
	if err := d.observed(ctx, all, how); err != nil {
		for _, s := range all {
			s.err = errors.Join(s.err, err)
		}
	}
}

func (d *driver) observed(ctx context.Context, all []*session, how lead) (err error) {
	dir, err := os.MkdirTemp(d.Dir, "s-")
	if err != nil {
		return fmt.Errorf("making a directory for sessions: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	at, err := d.listen(dir, all)
	if err != nil {
		return err
	}
	listening := []observers.Observer{at.sink, at.audit, at.log, at.spans, at.agent}
	defer func() {
		for _, o := range listening {
			err = errors.Join(err, o.Close())
		}
	}()
	if at.server, err = d.upstream(ctx, at); err != nil {
		return err
	}
	for _, o := range listening {
		if err := o.Pilot(ctx, channel.PilotBefore); err != nil {
			return err
		}
	}
	if err := how(ctx, at, all); err != nil {
		return err
	}
	for _, s := range all {
		s.heard.Sound = true
	}
	for _, o := range listening {
		if err := o.Pilot(ctx, channel.PilotAfter); err != nil {
			return err
		}
		report, err := o.Collect(ctx)
		if err != nil {
			return err
		}
		for _, s := range all {
			s.hear(report)
		}
	}
	return nil
}

// upstream is the tool server at a place.
func (d *driver) upstream(ctx context.Context, at place) (upstream.Server, error) {
	s := d.server.Clone()
	s.Env = append(s.Env, "POSTERN_SINK="+at.sink.Addr(), "POSTERN_MODE="+at.mode)
	if d.Enrol == nil {
		s.Guard = upstream.Guard{Optional: true, Quiet: true}
		return s, nil
	}
	err := d.Enrol(ctx, at.dir, &s, filepath.Dir(at.sink.Addr()))
	return s, err
}

// inProcess leads sessions one after the other, over one tool server. Where the
// question is how that introduces itself, the gateway starts it.
func (d *driver) inProcess(ctx context.Context, at place, all []*session) (err error) {
	if at.mode == skews {
		all[0].err = d.alone(ctx, at, all[0], nil, filepath.Join(at.audit.Dir(), "0.sqlite"))
		return nil
	}
	server, err := upstream.Start(ctx, at.server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	for i, s := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.err = d.alone(ctx, at, s, server, filepath.Join(at.audit.Dir(), fmt.Sprintf("%d.sqlite", i)))
	}
	return nil
}

// alone leads one session.
func (d *driver) alone(ctx context.Context, at place, s *session, server *upstream.Client, log string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := s.asks.put(s.config)
	c.Audit = log
	if server == nil {
		c.Upstream = at.server
	}
	at.tell(&c, filepath.Base(log))
	g, err := gateway.OpenWeak(ctx, c, s.weak, server)
	if s.heard.Code, err = notOpened(err); err != nil || s.heard.Code != "" {
		return err
	}
	received := recorded(at.sink)
	handed, err := d.ask(ctx, at, s, g, log)
	if err := errors.Join(err, at.audit.Look(log), g.Close()); err != nil {
		return err
	}
	if s.heard.Told, err = at.told(g, filepath.Base(log)); err != nil || s.asks.around.lost || s.asks.around.broken {
		return err
	}
	return d.examine(ctx, s, log, handed, recorded(at.sink)-received)
}

// ask has a gateway that is open serve the agent's lines, and counts the calls in
// them.
func (d *driver) ask(ctx context.Context, at place, s *session, g *gateway.Gateway, log string) (handed int, err error) {
	if err := s.asks.ready(ctx, g, log); err != nil {
		return 0, err
	}
	if ctx, err = d.carry(ctx, s); err != nil {
		return 0, err
	}
	if s.asks.around.client != "" {
		calls := recorded(at.sink)
		handed, err = d.front(ctx, at, s, g)
		s.heard.Calls = recorded(at.sink) - calls - max(handed-1, 0) // only the first is the witness
		return handed, err
	}
	lines := d.lines(s)
	if len(lines) > 1 {
		word, n, err := exchange(ctx, g, s.reader(lines[0]), at.agent)
		if handed += n; err != nil {
			return handed, err
		}
		if word != "" && word != withheld {
			s.heard.Code = unready
			return handed, nil
		}
	}
	if s.asks.around.again {
		back, err := g.AgainWeak(ctx)
		if s.heard.Code, err = notOpened(err); err != nil || s.heard.Code != "" {
			return handed, err
		}
		defer func() { err = errors.Join(err, back.Close()) }()
		g = back
	}
	calls, n := recorded(at.sink), 0
	witness := func() { s.heard.Code, n, err = exchange(ctx, g, s.reader(lines[len(lines)-1]), at.agent) }
	if s.asks.around.broken {
		if failed := audittest.WithoutSync(witness); failed != nil {
			return handed, fmt.Errorf("breaking the disk: %w", failed)
		}
	} else {
		witness()
	}
	s.heard.Calls = recorded(at.sink) - calls
	return handed + n, err
}

func (s *session) reader(line []byte) *frame.Reader {
	return frame.NewWeakReader(bytes.NewReader(line), s.config.Limits.Frame, s.weak.Frames)
}

// notOpened is the word for a gateway that refused to open. Any other error is
// none of its own.
func notOpened(err error) (Code, error) {
	if no := (*gateway.NotOpened)(nil); errors.As(err, &no) {
		return Code(no.Step) + "-refused", nil
	}
	return "", err
}

// ready does to a gateway what befalls it before the call.
func (q question) ready(ctx context.Context, g *gateway.Gateway, log string) error {
	if q.around.revoked {
		if err := g.Update(ctx, gate.Update{Revision: 1, Revoked: []string{q.tool}}); err != nil {
			return fmt.Errorf("revoking the tool: %w", err)
		}
	}
	if q.around.lost {
		return lose(ctx, log)
	}
	return nil
}

// lose takes an audit log's table away.
func lose(ctx context.Context, log string) error {
	db, err := sql.Open("sqlite", log)
	if err != nil {
		return fmt.Errorf("breaking the audit log: %w", err)
	}
	_, err = db.ExecContext(ctx, "DROP TABLE audit")
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("breaking the audit log: %w", err)
	}
	return nil
}

// sent is what of a reply is not fixed in advance.
func sent(r bridge.Reply) string { return r.Code + "\n" + r.Text }

// exchange hands the gateway every call that a reader reads, to the end of the
// stream or to a frame that is refused, and counts them. The word is that of the
// first.
func exchange(ctx context.Context, g *gateway.Gateway, frames *frame.Reader, agent *observers.Replies) (Code, int, error) {
	code := refused
	for n := 0; ; n++ {
		f, err := frames.Next()
		if refusal := new(frame.Refusal); err == io.EOF || errors.As(err, &refusal) {
			return code, n, nil
		}
		if err != nil {
			return "", n, err
		}
		reply := g.Handle(ctx, f)
		agent.Take(sent(reply))
		if n == 0 {
			code = Code(reply.Code)
		}
	}
}

// recorded counts calls.
func recorded(sink *observers.Tool) int {
	n := 0
	for tool, calls := range sink.Records() {
		if tool != takesBack {
			n += calls
		}
	}
	return n
}

// inContainer leads one session whose agent is in a container.
func (d *driver) inContainer(ctx context.Context, at place, all []*session) error {
	if d.Contain == nil {
		return errors.New("driving mutants: there is nobody to lead a session in a container")
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s := all[0]
	c := s.asks.put(s.config)
	c.Audit, c.Upstream = filepath.Join(at.audit.Dir(), "audit.sqlite"), at.server
	at.tell(&c, "session")
	lines := d.lines(s)
	ctx, err := d.carry(ctx, s)
	if err != nil {
		return err
	}
	var served *gateway.Gateway
	led, err := d.Contain(ctx, Lead{
		Config: c, Weak: s.weak, Lines: slices.Collect(bytes.Lines(bytes.Join(lines, nil))),
		Ready: func(g *gateway.Gateway) error { served = g; return s.asks.ready(ctx, g, c.Audit) },
	})
	if s.heard.Code, err = notOpened(err); err != nil || s.heard.Code != "" {
		return err
	}
	for _, reply := range led.Replies {
		at.agent.Take(sent(reply))
	}
	s.heard.Calls = recorded(at.sink)
	if served != nil {
		if s.heard.Told, err = at.told(served, "session"); err != nil {
			return err
		}
	}
	if !s.asks.around.lost {
		if err := d.examine(ctx, s, c.Audit, len(led.Replies), s.heard.Calls); err != nil {
			return err
		}
	}
	if len(lines) > 1 {
		if len(led.Replies) == 0 || led.Replies[0].Code != "" && Code(led.Replies[0].Code) != withheld {
			s.heard.Code = unready
			return nil
		}
		led.Replies = led.Replies[1:]
		s.heard.Calls--
	}
	switch {
	case len(led.Replies) > 0:
		s.heard.Code = Code(led.Replies[0].Code)
	case led.Refused:
		s.heard.Code = refused
	default:
		s.heard.Code = unready
	}
	return nil
}
