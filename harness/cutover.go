//go:build unix

package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"postern/fixtures/channel"
	"postern/fixtures/policy"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/frame"
	"postern/gateway/gate"
	"postern/reports"
)

// operator is the harness in the role of the trusted operator, who updates the
// overlay of a running gateway while an agent calls. No container takes part:
// what is tried is the order of calls and updates, with the real tool server.
type operator struct {
	*trial
	gateway *gateway.Gateway
	release func() error // lets a held call go on
}

// operate opens the subject's gateway and plays a script with it.
func (t *trial) operate(ctx context.Context, script func(context.Context, operator) error) (err error) {
	pipe := filepath.Join(filepath.Dir(t.posts.tool.Addr()), "hold") // where the tool server comes to
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		return fmt.Errorf("making the pipe that holds a call: %w", err)
	}
	config, err := t.enrolled(ctx)
	if err != nil {
		return err
	}
	config.Upstream.Env = append(config.Upstream.Env, "POSTERN_HOLD="+pipe)
	g, err := gateway.Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	o := operator{trial: t, gateway: g, release: func() error {
		f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("releasing a held call: %w", err)
		}
		return f.Close()
	}}
	if err := script(ctx, o); err != nil {
		return err
	}
	t.row.Outcome = string(bridge.Completed)
	for _, tally := range g.Decisions() {
		t.row.Allowed += tally.Allowed
		t.row.Denied += tally.Denied
	}
	return nil
}

// deliver calls the permitted tool with the canary of a channel.
func (o operator) deliver(ctx context.Context, id channel.ID) bridge.Reply {
	text, err := jsontext.AppendQuote([]byte(`{"text":`), o.canaries.planted(id))
	if err != nil {
		return bridge.Reply{Code: "bad-arguments"}
	}
	return o.gateway.Handle(ctx, frame.Call{Operation: "deliver", Arguments: append(text, '}')})
}

// legal makes the one call that nothing forbids: a gate that admits nothing
// would pass every test of what it keeps out.
func (o operator) legal(ctx context.Context) error {
	o.attempted(channel.ToolPermitted)
	if r := o.deliver(ctx, channel.ToolPermitted); r.Code != "" {
		return errors.New("the legal call was refused")
	}
	return nil
}

// illegal calls the revoked tool. Whether it is refused is for the tool sink
// to say.
func (o operator) illegal(ctx context.Context) {
	o.attempted(channel.ToolRevoked)
	o.deliver(ctx, channel.ToolRevoked)
}

func (o operator) attempted(id channel.ID) {
	o.row.Attempts = append(o.row.Attempts, reports.Attempt{Channel: string(id)})
}

// revoke is the update that takes the permitted tool away.
func (o operator) revoke(ctx context.Context, revision uint64) error {
	err := o.gateway.Update(ctx, gate.Update{Revision: revision, Revoked: []string{policy.PermittedTool}})
	if err == nil {
		o.posts.tool.Revoke(policy.PermittedTool)
	}
	return err
}

// cutOver revokes a tool while one call of it is under way and another comes
// behind the update.
func cutOver(ctx context.Context, o operator) error {
	first, update, second := make(chan bridge.Reply, 1), make(chan error, 1), make(chan struct{})
	o.attempted(channel.ToolPermitted)
	go func() { first <- o.deliver(ctx, channel.ToolPermitted) }()
	inside := func() bool { return o.gateway.Decisions()[policy.PermittedTool].Allowed > 0 }
	if err := until(ctx, inside); err != nil {
		return err
	}
	go func() { update <- o.revoke(ctx, 1) }()
	acknowledged := func() bool { return o.gateway.Overlay().Revision == 1 && !o.gateway.Overlay().Updating }
	pending := func() bool { s := o.gateway.Overlay(); return s.Updating || acknowledged() }
	if err := until(ctx, pending); err != nil {
		return err
	}
	if acknowledged() { // too early: what the held call brings now comes after it
		update <- <-update
	}
	o.attempted(channel.ToolRevoked)
	go func() { defer close(second); o.deliver(ctx, channel.ToolRevoked) }()
	queued := func() bool {
		select {
		case <-second:
			return true
		default:
			return o.gateway.Overlay().Queued > 0
		}
	}
	if err := until(ctx, queued); err != nil {
		return err
	}
	if err := o.release(); err != nil {
		return err
	}
	if r := <-first; r.Code != "" {
		return errors.New("the call that was under way was refused")
	}
	if err := <-update; err != nil {
		return err
	}
	<-second
	return nil
}

// staleRevision tries to undo a revocation by an older revision.
func staleRevision(ctx context.Context, o operator) error {
	if err := o.legal(ctx); err != nil {
		return err
	}
	if err := o.revoke(ctx, 2); err != nil {
		return err
	}
	o.gateway.Update(ctx, gate.Update{Revision: 1}) // refused, unless weakened
	o.illegal(ctx)
	return nil
}

// invalidUpdate makes a mistake, after which nothing may be admitted.
func invalidUpdate(ctx context.Context, o operator) error {
	if err := o.legal(ctx); err != nil {
		return err
	}
	if o.gateway.Update(ctx, gate.Update{Revision: 1, Revoked: []string{"no-such-tool"}}) == nil {
		return errors.New("an update of an unknown tool was acknowledged")
	}
	o.posts.tool.Revoke(policy.PermittedTool)
	o.illegal(ctx)
	return nil
}

// until waits for a condition that another goroutine brings about.
func until(ctx context.Context, done func() bool) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
