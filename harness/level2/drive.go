package level2

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/upstream"
	"postern/observers/canary"
)

// patience bounds one session, which takes a few hundredths of a second, or a
// second in a container.
const patience = 2 * time.Minute

// Options say with what a plan is driven.
type Options struct {
	Upstream string // path of the tool server's executable

	// Enrol has a tool server confined that works in a directory and writes to other
	// places; where it is nil, none is.
	Enrol func(ctx context.Context, dir string, s *upstream.Server, reach ...string) error

	Dir     string // for what a session writes, private to this user; short, for it is part of a socket's path
	Workers int    // tool servers at a time that serve many sessions; 0 is 4: they wait for the disk most of the time

	// Contain leads a session in a container; needed where the plan has such.
	Contain    func(context.Context, Lead) (Led, error)
	Containers int // at a time; 0 is 4

	Minted func([]canary.Entry) // is told every canary; may be nil
}

// Lead is a session that is to be led in a container.
type Lead struct {
	Config gateway.Config // but for Image, and the user of Profile
	Weak   gateway.Weakness
	Lines  [][]byte                     // what the agent writes, plaintext, and waits for a reply to each
	Ready  func(*gateway.Gateway) error // to be called before the agent has them
}

// Led is how such a session ended.
type Led struct {
	Replies []bridge.Reply
	Refused bool // a line was refused as a frame
}

// Report is what a drive of a plan came to.
type Report struct {
	Rows       []Row
	Sessions   int // gateways opened
	Servers    int // tool servers started for them, containers apart
	Containers int // sessions led in a container
}

// session is one call of one subject.
type session struct {
	subject
	asks      question
	contained bool
	id        channel.ID // of its canary
	heard     Heard
	err       error
}

// driver leads sessions.
type driver struct {
	Options
	server upstream.Server
	key    canary.Key
	all    []*session
	known  map[string]*session
}

func newDriver(o Options) (*driver, error) {
	if o.Workers == 0 {
		o.Workers = 4
	}
	if o.Containers == 0 {
		o.Containers = 4
	}
	content, err := os.ReadFile(o.Upstream)
	if err != nil {
		return nil, fmt.Errorf("measuring the tool server: %w", err)
	}
	digest := sha256.Sum256(content)
	return &driver{
		Options: o, key: canary.NewKey(), known: map[string]*session{},
		server: upstream.Server{Path: o.Upstream, SHA256: hex.EncodeToString(digest[:])},
	}, nil
}

// Drive leads all witnesses of the plan through the gateway. It fails only where
// nothing could be driven at all; a session that fails is in its row.
func (p *Plan) Drive(ctx context.Context, o Options) (Report, error) {
	d, err := newDriver(o)
	if err != nil {
		return Report{}, err
	}
	pairs := make([][][2]*session, len(p.Rows))
	for i, row := range p.Rows {
		for j, w := range p.witnesses[i] {
			contained := row.Driven[j].Contained
			pairs[i] = append(pairs[i], [2]*session{d.plan(w.original, w.asks, contained), d.plan(w.mutant, w.asks, contained)})
		}
	}
	servers, containers := d.run(ctx)
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	report := Report{Sessions: len(d.all), Servers: servers, Containers: containers}
	for i, row := range p.Rows {
		row.Driven = slices.Clone(row.Driven)
		for j, pair := range pairs[i] {
			row.Driven[j] = row.Driven[j].of(pair[0], pair[1])
		}
		row.Foretold, row.Status = row.Status, Settle(row.Status, row.Driven)
		report.Rows = append(report.Rows, row)
	}
	return report, nil
}

// of is a drive with what its sessions came to.
func (d Drive) of(original, mutant *session) Drive {
	d.Original, d.Mutant = original.heard, mutant.heard
	if d.Err = errors.Join(original.err, mutant.err); d.Err != nil {
		d.Status = Error
		return d
	}
	d.Status = Judge(d)
	return d
}

// plan is the session of a subject and a question, which is led once.
func (d *driver) plan(s subject, q question, contained bool) *session {
	key := fmt.Sprint(contained, s.key(q))
	if d.known[key] == nil {
		d.known[key] = &session{subject: s, asks: q, contained: contained, id: channel.ID(fmt.Sprintf("level2.%d", len(d.all)+1))}
		d.all = append(d.all, d.known[key])
	}
	return d.known[key]
}

// run leads all sessions: those in containers one by one, the others in batches.
func (d *driver) run(ctx context.Context) (servers, containers int) {
	var entries []canary.Entry
	for _, s := range d.all {
		entries = append(entries, d.entry(s.id))
	}
	if d.Minted != nil {
		d.Minted(append(entries, d.entry(channel.PilotBefore), d.entry(channel.PilotAfter)))
	}
	var work errgroup.Group
	work.Go(func() error {
		group := new(errgroup.Group)
		group.SetLimit(d.Workers)
		for _, batch := range d.batches() {
			servers++
			group.Go(func() error { d.serve(ctx, batch, d.inProcess); return nil })
		}
		return group.Wait()
	})
	group := new(errgroup.Group)
	group.SetLimit(d.Containers)
	for _, s := range d.all {
		if s.contained {
			containers++
			group.Go(func() error { d.serve(ctx, []*session{s}, d.inContainer); return nil })
		}
	}
	group.Wait()
	work.Wait()
	return servers, containers
}

// batches are the sessions without a container whose tool servers behave alike,
// dealt out to the workers.
func (d *driver) batches() [][]*session {
	alike := map[string][][]*session{}
	var order []string
	next := 0
	for _, s := range d.all {
		if s.contained {
			continue
		}
		mode := s.asks.around.server
		switch {
		case alike[mode] == nil && mode == "":
			alike[mode] = make([][]*session, d.Workers)
			order = append(order, mode)
		case alike[mode] == nil || servesOne(mode):
			if alike[mode] == nil {
				order = append(order, mode)
			}
			alike[mode] = append(alike[mode], nil)
		}
		at := len(alike[mode]) - 1
		if mode == "" {
			at, next = next%d.Workers, next+1
		}
		alike[mode][at] = append(alike[mode][at], s)
	}
	var out [][]*session
	for _, mode := range order {
		out = append(out, slices.DeleteFunc(alike[mode], func(b []*session) bool { return len(b) == 0 })...)
	}
	return out
}

// servesOne reports whether a tool server that behaves so serves one session: it may
// not outlive it, or is another one behind it.
func servesOne(mode string) bool {
	return slices.Contains([]string{dies, brokenText, noObject, drifts, skews, waits, overdue}, mode)
}

// What a tool server does, as POSTERN_MODE has it.
const (
	dies       = "die"        // exits after it has recorded a call
	lists      = "twice"      // lists one tool twice
	echoes     = "echo"       // answers with what it received
	errs       = "error"      // answers with that as an error
	structures = "structured" // answers with that as structured content, too
	repeats    = "several"    // answers with that twice
	rambles    = "long"       // answers with that and more than an answer may have

	drifts     = "drift"       // describes its tools otherwise once it was called
	skews      = "skew"        // introduces itself with a version that nobody knows
	records    = "records"     // records whole lines: each call, and each cancellation as takesBack
	waits      = "waits"       // likewise, and answers no call before it is taken back
	overdue    = "late"        // answers its first call when the second waits
	brokenText = "broken-text" // says it in a line that ends the session
	noObject   = "no-object"   // likewise
)

// takesBack is in the place of a tool's name in the record of a cancellation.
const takesBack = "notifications/cancelled"

func (d *driver) entry(id channel.ID) canary.Entry {
	return canary.Entry{ID: id, Canary: d.key.Mint("level2", id)}
}

// lines are what the agent writes: a call before the witness, and the witness.
func (d *driver) lines(s *session) [][]byte {
	limit := s.config.Limits.Frame.Bytes
	var out [][]byte
	if s.asks.before != "" {
		out = append(out, spell(call, operation(s.config, s.asks.before), "before", limit))
	}
	line, does := s.asks.line, operation(s.config, s.asks.tool)
	if line == "" {
		line = call
	}
	if s.asks.operation != "" {
		does = s.asks.operation
	}
	return append(out, spell(line, does, d.entry(s.id).Canary.Reveal(), limit))
}

// hello is how an MCP client introduces itself.
func (d *driver) hello(s *session) []byte {
	return spell(s.asks.around.client, "", d.entry(s.id).Canary.Reveal(), 0)
}

// carry is the context of whoever calls the gateway, with what it brings.
func (d *driver) carry(ctx context.Context, s *session) (context.Context, error) {
	if !s.asks.around.carried {
		return ctx, nil
	}
	secret := d.entry(s.id).Canary.Reveal()
	member, bad := baggage.NewMember("user", secret)
	bag, worse := baggage.New(member)
	state, worst := trace.ParseTraceState("vendor=" + secret)
	if bad != nil || worse != nil || worst != nil {
		return ctx, errors.New("a canary does not fit into baggage") // their words may hold it
	}
	caller := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled, TraceState: state})
	return trace.ContextWithRemoteSpanContext(baggage.ContextWithBaggage(ctx, bag), caller), nil
}

// spell writes a line with what it stands for.
func spell(line, operation, secret string, limit int) []byte {
	line = strings.NewReplacer("DO", operation, "CANARY", secret, "LONG", strings.Repeat("x", 32<<10)).Replace(line)
	if strings.Contains(line, "FILL") {
		line = strings.Replace(line, "FILL", strings.Repeat(" ", frameLimit(limit)+1-(len(line)-len("FILL"))), 1)
	}
	return []byte(line + "\n")
}
