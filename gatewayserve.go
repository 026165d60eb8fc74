package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/frame"
	"postern/gateway/guard/spawn"
	"postern/gateway/mcpserver"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/gateway/statefile"
	"postern/gateway/telemetry"
	"postern/gateway/upstream"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// serveGateway serves until the client leaves or the command is told to stop.
func serveGateway(cmd *cobra.Command, f gatewayFile) (err error) {
	ctx := cmd.Context()
	if err := confine.DenyCores(); err != nil {
		return err
	}
	access, err := f.access()
	if err != nil {
		return err
	}
	lock, err := f.lockAudit()
	if err != nil {
		return err
	}
	defer lock.Close()
	var listener net.Listener // first, so that a port that is taken starts nothing
	if f.Listen != "" {
		if listener, err = access.Listen(); err != nil {
			return fmt.Errorf("--config: listen: %w", err)
		}
		defer listener.Close()
	}
	all, err := openGateways(ctx, f, cmd.ErrOrStderr())
	if err != nil {
		return stoppedEarly(ctx, err)
	}
	defer func() {
		err = errors.Join(err, all.close())
		fmt.Fprintln(cmd.ErrOrStderr(), "postern: audit head", all.first.Head())
	}()
	leave := func() { all.close() }
	server := mcpserver.New(f.listed(), mcpserver.Limits(f.Limits), all.handle)
	if listener == nil {
		if err := server.ServeStdio(ctx, cmd.InOrStdin(), cmd.OutOrStdout(), leave); err != nil {
			return fmt.Errorf("%w: what the client sent: %w", errServed, err)
		}
		return nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "postern: serving at http://%s%s\n", access.Address, mcpserver.Path)
	return server.ServeHTTP(ctx, listener, access, leave)
}

// lockAudit keeps the audit log for this gateway: its rows are one chain, which
// has one writer. The kernel lets go when the process ends.
func (f gatewayFile) lockAudit() (*os.File, error) {
	lock, err := statefile.Lock(f.at(f.Audit) + ".lock")
	if errors.Is(err, statefile.ErrInUse) {
		return nil, errors.New("--config: audit: another gateway writes this log: give each that runs at the same time one of its own")
	}
	if err != nil {
		return nil, fmt.Errorf("--config: audit: %w", err)
	}
	return lock, nil
}

// stoppedEarly makes no failure of a start that somebody cut short.
func stoppedEarly(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// access is checked before anything is started.
func (f gatewayFile) access() (a mcpserver.Access, err error) {
	if f.Listen == "" {
		return a, nil
	}
	a = mcpserver.Access{Hosts: f.Hosts, Origins: f.Origins}
	a.Address, _ = netip.ParseAddrPort(f.Listen) // Validate says what is wrong with it
	if a.Token, err = f.token(); err != nil {
		return a, err
	}
	if err := a.Validate(); err != nil {
		return a, fmt.Errorf("--config: listen: %w", err)
	}
	return a, nil
}

// gateways has one for each tool server, which share one label and one audit log.
type gateways struct {
	first *gateway.Gateway // of unknown operations too
	all   []*gateway.Gateway
	of    map[string]*gateway.Gateway // by alias

	once    sync.Once
	closing atomic.Bool
	closed  error

	warned sync.Map // what the operator was told of
	stderr io.Writer
}

func openGateways(ctx context.Context, f gatewayFile, stderr io.Writer) (*gateways, error) {
	source, err := f.source()
	if err != nil {
		return nil, err
	}
	if f.AuditKeys != "" {
		if err := os.MkdirAll(f.at(f.AuditKeys), 0o700); err != nil {
			return nil, fmt.Errorf("--config: audit-keys: %w", err)
		}
	}
	g := &gateways{of: map[string]*gateway.Gateway{}, stderr: stderr}
	for _, name := range sortedKeys(f.Servers) {
		server, err := f.server(ctx, name, stderr)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--config: server %q: %w", name, err), g.close())
		}
		c := f.subject(name, source)
		c.Upstream = server
		open := gateway.Open
		if g.first != nil {
			open = g.first.OpenBeside
		}
		one, err := open(ctx, c)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--config: server %q: %w", name, advised(err)), g.close())
		}
		if g.first == nil {
			g.first = one
		}
		g.all = append(g.all, one)
		for alias := range c.Aliases {
			g.of[alias] = one
		}
	}
	return g, nil
}

// advised adds what to do.
func advised(err error) error {
	var refused *gateway.NotOpened
	var unconfined *spawn.Refused
	switch {
	case errors.As(err, &unconfined):
		return unstarted(unconfined, err)
	case errors.Is(err, upstream.ErrMeasure):
		return fmt.Errorf("%w: its program does not have the sha256 that is given; look why it changed", err)
	case errors.As(err, &refused) && refused.Step == gateway.StepCatalogue:
		return fmt.Errorf("%w: look at what it claims to do, then at postern gateway --pins", err)
	}
	return err
}

func (g *gateways) handle(ctx context.Context, f frame.Call) bridge.Reply {
	one, known := g.of[f.Operation]
	if !known {
		one = g.first // which refuses it, and records that
	}
	reply := one.Handle(ctx, f)
	if reply.Fatal != "" && ctx.Err() == nil && !g.closing.Load() {
		g.warn(reply.Fatal)
	}
	return reply
}

// warn tells the operator once, in fixed words, of what the agent cannot mend.
func (g *gateways) warn(o bridge.Outcome) {
	if _, again := g.warned.LoadOrStore(o, true); again {
		return
	}
	switch o {
	case bridge.UpstreamFailed:
		fmt.Fprintln(g.stderr, "postern: a call failed at its tool server; if the server is gone, its tools stay refused until the gateway is started again")
	default:
		fmt.Fprintln(g.stderr, "postern: a decision could not be recorded; nothing is released without its row")
	}
}

// close ends the tool servers and the audit log, the first gateway last: the log
// is its own.
func (g *gateways) close() error {
	g.once.Do(func() {
		g.closing.Store(true)
		for _, one := range slices.Backward(g.all) {
			g.closed = errors.Join(g.closed, one.Close())
		}
	})
	return g.closed
}

func (f gatewayFile) source() (s policy.Source, err error) {
	if s.Policies, err = readBounded(f.at(f.Policies)); err != nil {
		return s, fmt.Errorf("--config: policies: %w", err)
	}
	if s.Schema, err = readBounded(f.at(f.Schema)); err != nil {
		return s, fmt.Errorf("--config: schema: %w", err)
	}
	return s, nil
}

// subject is what one server's gateway lets through.
func (f gatewayFile) subject(server string, source policy.Source) gateway.Config {
	c := gateway.Config{
		Aliases: map[string]string{}, Policy: source,
		Ceilings: sensitivity.Ceilings{}, Initial: sensitivity.Label(f.Initial),
		Audit: f.at(f.Audit), AuditKeys: f.at(f.AuditKeys),
		Telemetry: telemetry.Options{Collector: f.Telemetry.Collector, Log: f.at(f.Telemetry.Log)},
	}
	for _, label := range f.Labels {
		c.Lattice = append(c.Lattice, sensitivity.Label(label))
	}
	for sink, label := range f.Ceilings {
		c.Ceilings[sink] = sensitivity.Label(label)
	}
	for _, alias := range sortedKeys(f.Tools) {
		t := f.Tools[alias]
		if t.Server != server {
			continue
		}
		c.Aliases[alias] = t.Tool
		c.Catalogue = append(c.Catalogue, gateway.Tool{
			Name: t.Tool, Sink: t.Sink, Groups: t.Groups, Arguments: t.Arguments,
			Response: sensitivity.Label(t.Answer), Definition: t.Definition,
		})
	}
	return c
}

// listed is what clients see.
func (f gatewayFile) listed() (tools []mcpserver.Tool) {
	for _, alias := range sortedKeys(f.Tools) {
		t := f.Tools[alias]
		tools = append(tools, mcpserver.Tool{Alias: alias, Description: t.Description, Arguments: t.Arguments})
	}
	return tools
}
