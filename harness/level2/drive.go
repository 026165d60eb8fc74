package level2

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/frame"
	"postern/gateway/upstream"
	"postern/observers"
	"postern/observers/canary"
)

// patience bounds one session, which takes a few hundredths of a second.
const patience = time.Minute

// carried is the channel whose canary a witness carries, whatever tool it calls:
// the observer tells sessions apart by their canaries, which are never the same.
const carried = channel.ToolPermitted

// driver leads sessions. Safe for concurrent use.
type driver struct {
	server   upstream.Server
	dir      string
	key      canary.Key
	sessions atomic.Int64

	mu        sync.Mutex
	originals map[string]func() (Heard, error) // by what is asked: each is led once
}

func newDriver(o Options) (*driver, error) {
	content, err := os.ReadFile(o.Upstream)
	if err != nil {
		return nil, fmt.Errorf("measuring the tool server: %w", err)
	}
	digest := sha256.Sum256(content)
	return &driver{
		server: upstream.Server{Path: o.Upstream, SHA256: hex.EncodeToString(digest[:])},
		dir:    o.Dir, key: canary.NewKey(), originals: map[string]func() (Heard, error){},
	}, nil
}

// both leads a witness through the original and through the mutant.
func (d *driver) both(ctx context.Context, r Row, w witness) Drive {
	out := Drive{Direction: w.direction, Place: w.place, Opened: w.opened, Status: Error}
	var errs [2]error
	out.Original, errs[0] = d.original(ctx, r.Layer, w)()
	out.Mutant, errs[1] = d.session(ctx, w.mutant, w.asks, w.weak)
	if out.Err = errors.Join(errs[:]...); out.Err == nil {
		out.Status = judge(r.Layer, w.place, w.direction, out.Original, out.Mutant)
	}
	return out
}

// original leads a witness through the original. What opens a layer depends on
// which it is and on the question, so these name the configuration.
func (d *driver) original(ctx context.Context, l Layer, w witness) func() (Heard, error) {
	key := fmt.Sprintf("%s %v %q", l, w.opened, w.asks)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.originals[key] == nil {
		d.originals[key] = sync.OnceValues(func() (Heard, error) { return d.session(ctx, w.original, w.asks, frame.Weakness{}) })
	}
	return d.originals[key]
}

// session makes one call in a session of its own and tells what was heard of it.
func (d *driver) session(ctx context.Context, c gateway.Config, q question, weak frame.Weakness) (heard Heard, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	trial := "level2/" + strconv.FormatInt(d.sessions.Add(1), 10)
	dir, err := os.MkdirTemp(d.dir, "session-")
	if err != nil {
		return Heard{}, fmt.Errorf("making a directory for a session: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sink, err := d.listen(dir, trial)
	if err != nil {
		return Heard{}, err
	}
	defer func() { err = errors.Join(err, sink.Close()) }()
	if err := sink.Pilot(ctx, channel.PilotBefore); err != nil {
		return Heard{}, err
	}
	c = q.put(c)
	c.Upstream, c.Audit = d.server.Clone(), filepath.Join(dir, "audit.sqlite")
	c.Upstream.Env = append(c.Upstream.Env, "POSTERN_SINK="+sink.Addr())
	stream := spell(cmp.Or(q.line, call), operation(c, q.tool), d.key.Mint(trial, carried).Reveal(), c.Limits.Frame.Bytes)
	if heard.Code, err = exchange(ctx, c, frame.NewWeakReader(bytes.NewReader(stream), c.Limits.Frame, weak)); err != nil {
		return Heard{}, err
	}
	if err := sink.Pilot(ctx, channel.PilotAfter); err != nil {
		return Heard{}, err
	}
	report, err := sink.Collect(ctx)
	if err != nil {
		return Heard{}, err
	}
	heard.Sound = report.Hearing.Sound()
	for _, o := range report.Observations {
		heard.Sightings += o.Sightings
	}
	for _, calls := range sink.Records() {
		heard.Calls += calls
	}
	return heard, nil
}

// listen starts the observer at the sink of a session's tool server.
func (d *driver) listen(dir, trial string) (*observers.Tool, error) {
	mint := func(id channel.ID) canary.Canary { return d.key.Mint(trial, id) }
	pilots := observers.Pilots{Before: mint(channel.PilotBefore), After: mint(channel.PilotAfter)}
	watch, err := canary.NewWatch([]canary.Entry{
		{ID: channel.PilotBefore, Canary: pilots.Before}, {ID: channel.PilotAfter, Canary: pilots.After}, {ID: carried, Canary: mint(carried)},
	})
	if err != nil {
		return nil, err
	}
	return observers.NewTool(dir, watch, pilots)
}

// exchange opens the gateway and hands it every call that a reader reads, to the
// end of the stream or to a frame that is refused. The word is that of the first.
func exchange(ctx context.Context, c gateway.Config, frames *frame.Reader) (code string, err error) {
	g, err := gateway.Open(ctx, c)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	code = refused
	for n := 0; ; n++ {
		f, err := frames.Next()
		if refusal := new(frame.Refusal); err == io.EOF || errors.As(err, &refusal) {
			return code, nil
		}
		if err != nil {
			return "", err
		}
		if reply := g.Handle(ctx, f); n == 0 {
			code = reply.Code
		}
	}
}
