package gateway

import (
	"context"
	"strings"

	"postern/gateway/audit"
	"postern/gateway/frame"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/gateway/telemetry"
	"postern/gateway/upstream"
)

// Weakness takes checks of the gateway away, for mutants of what decides. The
// zero value is strict. It is no part of a Config: what an operator can write
// down cannot weaken the code.
type Weakness struct {
	Frames  frame.Weakness             // of what reads the agent's lines
	Hello   upstream.HandshakeWeakness // of how the tool server introduces itself
	Listing upstream.Weakness          // of the comparison with what the tool server lists
	Tools   upstream.AnswerWeakness    // of what a tool may answer
	Beside  upstream.BesideWeakness    // of what goes to it beside a call
	Policy  policy.Weakness            // of the policies' engine
	Labels  sensitivity.Weakness       // of labels, their join and the ceilings
	Log     audit.Weakness             // of the audit log

	ToolsTwice       bool // of two tools of the catalogue with one name the last counts
	AliasesUnchecked bool // an alias may name no tool
	NamesAreAliases  bool // a tool's own name is an operation
	FoldedAliases    bool // operations are taken in any case

	ArgumentsUncounted bool // arguments may be missing, or stand there beside the tool's
	ArgumentsUnnamed   bool // an argument may have any name
	ArgumentsUntyped   bool // what is no text is passed on as it is spelt
	NullArguments      bool // null is an empty text
	LongArguments      bool // an argument may have any length

	GateUnasked    bool // the operator's overlay is not asked
	PolicyUnasked  bool // what the policies deny is not kept back
	CeilingUnasked bool // nor is what a sink's ceiling denies
	AnswerUnasked  bool // an answer is released whatever its label is
	AnswerUnjoined bool // an answer's label does not reach the session
	LabelsApart    bool // a gateway beside another has a label of its own

	FailuresReleased bool // a call that failed is answered as one that did not
	AuditUnasked     bool // what could not be recorded counts as recorded

	Rows      RowWeakness        // of what is recorded of a call
	Telemetry telemetry.Weakness // of spans and the log
}

// RowWeakness takes rows of the audit log away, or puts more into them.
type RowWeakness struct {
	Afterwards   bool // a call is recorded when its tool has answered
	NoDenials    bool // one that is denied leaves no row
	NoErrors     bool // nor does one about which a policy failed
	NoStrangers  bool // nor does one that names no tool
	NoAnswers    bool // nor does what becomes of an answer
	NamedByAgent bool // where a call names no tool, the row has the agent's own word for it
}

// stranger is what a row calls the tool of a call that names none.
func (w RowWeakness) stranger(operation string) string {
	if w.NamedByAgent {
		return operation
	}
	return ""
}

// without reports whether a verdict leaves no row.
func (w RowWeakness) without(v verdict) bool {
	switch v {
	case permitted:
		return false
	case released, deniedResponse, upstreamFailed:
		return w.NoAnswers
	case unknownOperation:
		return w.NoStrangers
	case verdict(policy.DenyError):
		return w.NoErrors || w.NoDenials
	}
	return w.NoDenials
}

// OpenWeak is Open with some checks taken away and, where there is one, a tool
// server that runs already and outlives the gateway: its configuration then
// says nothing of one. It is for the harness, and a test keeps it there.
func OpenWeak(ctx context.Context, c Config, w Weakness, running *upstream.Client) (*Gateway, error) {
	return open(ctx, c, loan{server: running, weak: w})
}

// AgainWeak opens a gateway like this one beside it, with the same checks taken
// away and the same tool server: what an agent meets that comes back. It is for the
// harness, as OpenWeak is.
func (g *Gateway) AgainWeak(ctx context.Context) (*Gateway, error) {
	return open(ctx, g.config, loan{log: g.log, held: g.shared(), server: g.server, weak: g.weak})
}

// shared is the label that gateways beside this one have in common with it.
func (g *Gateway) shared() *sensitivity.Session {
	if g.weak.LabelsApart {
		return nil
	}
	return g.held
}

// operation is the name by which an alias is looked up.
func (g *Gateway) operation(name string) string {
	if _, ok := g.config.Aliases[name]; ok || !g.weak.FoldedAliases {
		return name
	}
	for alias := range g.config.Aliases {
		if strings.EqualFold(alias, name) {
			return alias
		}
	}
	return name
}

func (g *Gateway) compile() (*policy.Engine, error) {
	if g.weak.Policy == (policy.Weakness{}) {
		return policy.Compile(g.config.Policy)
	}
	return policy.CompileWeak(g.config.Policy, g.weak.Policy)
}

// openLog opens the log that the configuration names.
func (g *Gateway) openLog(ctx context.Context) (*audit.Log, error) {
	if g.weak.Log == (audit.Weakness{}) {
		return audit.Open(ctx, g.config.Audit)
	}
	return audit.OpenWeakLog(ctx, g.config.Audit, g.weak.Log)
}

func (g *Gateway) openTelemetry(ctx context.Context) (*telemetry.Telemetry, error) {
	if g.weak.Telemetry == (telemetry.Weakness{}) {
		return telemetry.Open(ctx, g.config.Telemetry, g.words())
	}
	return telemetry.OpenWeakTelemetry(ctx, g.config.Telemetry, g.words(), g.weak.Telemetry)
}

func (g *Gateway) beginLabel() (*sensitivity.Session, error) {
	if g.weak.Labels == (sensitivity.Weakness{}) {
		return sensitivity.NewSession(g.config.Lattice, g.config.Initial)
	}
	return sensitivity.NewWeakSession(g.config.Lattice, g.config.Initial, g.weak.Labels)
}

func (g *Gateway) start(ctx context.Context) (*upstream.Client, error) {
	if g.weak.Hello == (upstream.HandshakeWeakness{}) {
		return upstream.Start(ctx, g.config.Upstream)
	}
	return upstream.StartWeak(ctx, g.config.Upstream, g.weak.Hello)
}

func (g *Gateway) list(ctx context.Context) (map[string]string, error) {
	if g.weak.Listing == (upstream.Weakness{}) {
		return g.server.List(ctx)
	}
	return g.server.ListWeak(ctx, g.weak.Listing)
}

// callTool hands a call to the tool server.
func (g *Gateway) callTool(ctx context.Context, c *call) (upstream.Response, error) {
	if g.weak.Tools == (upstream.AnswerWeakness{}) && g.weak.Beside == (upstream.BesideWeakness{}) {
		return g.server.Call(ctx, c.tool.Name, c.arguments)
	}
	return g.server.CallWeak(ctx, c.tool.Name, c.arguments, g.weak.Tools, g.weak.Beside)
}

func (g *Gateway) pinned(listed, pins map[string]string) error {
	if g.weak.Listing == (upstream.Weakness{}) {
		return upstream.Pinned(listed, pins)
	}
	return upstream.PinnedWeak(listed, pins, g.weak.Listing)
}

// admits reports whether data of a label may go to a sink.
func (g *Gateway) admits(sink string, label sensitivity.Label) bool {
	if g.weak.Labels == (sensitivity.Weakness{}) {
		return g.config.Ceilings.Admits(g.config.Lattice, sink, label)
	}
	return g.weak.Labels.Admits(g.config.Ceilings, g.config.Lattice, sink, label)
}

// join is the session's label with an answer's.
func (g *Gateway) join(answer sensitivity.Label) (sensitivity.Label, error) {
	if g.weak.AnswerUnjoined {
		return g.config.Lattice.Join(g.held.Label(), answer)
	}
	return g.held.Raise(answer)
}
