package gateway

import (
	"context"

	"postern/gateway/audit"
	"postern/gateway/bridge"
	"postern/gateway/frame"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/gateway/telemetry"
)

// call is one call on its way.
type call struct {
	number    int64
	tool      Tool // zero where the operation names none
	arguments map[string]string
	label     sensitivity.Label // of the session when it was decided
	revision  uint64            // of the operator's overlay, then
}

// Handle serves one call of the agent's. Where it panics, the reply is that of a
// gateway which is not available, and what the panic says goes nowhere.
func (g *Gateway) Handle(ctx context.Context, f frame.Call) (reply bridge.Reply) {
	number, open := g.begin()
	if !open {
		return refuse(unavailable)
	}
	defer g.calls.Done()
	c := call{number: number}
	span := g.exhaust.Begin(ctx)
	defer func() {
		if recover() != nil {
			reply = refuse(unavailable)
			g.tell(ctx, span, telemetry.CallPanicked, c, f, reply)
			return
		}
		g.tell(ctx, span, telemetry.CallEnded, c, f, reply)
	}()
	return g.serve(ctx, &c, f)
}

// serve takes a call from its decision to its reply.
func (g *Gateway) serve(ctx context.Context, c *call, f frame.Call) bridge.Reply {
	c.label, c.revision = g.held.Label(), g.gate.Status().Revision
	verdict, leave := g.decide(ctx, c, f)
	defer leave()
	switch about := audit.Call(f.Operation, f.Arguments); {
	case g.weak.Rows.Afterwards:
		defer g.recorded(ctx, *c, verdict, about)
	case !g.recorded(ctx, *c, verdict, about):
		return refuse(unavailable)
	}
	g.count(c.tool.Name, verdict)
	if verdict != permitted {
		return refuse(verdict)
	}
	return g.forward(ctx, c)
}

// begin gives a call its number, unless the gateway is closed.
func (g *Gateway) begin() (int64, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return 0, false
	}
	g.calls.Add(1)
	g.last++
	return g.last, true
}

// decide takes a call through every step before its release. The call is at the
// gate until leave is called, so that an update waits for what becomes of it.
func (g *Gateway) decide(ctx context.Context, c *call, f frame.Call) (v verdict, leave func()) {
	tool, ok := g.lookUp(f.Operation)
	if !ok {
		c.tool.Name = g.weak.Rows.stranger(f.Operation)
		return unknownOperation, func() {}
	}
	c.tool = tool
	leave, err := g.gate.Enter(ctx, c.tool.Name)
	c.revision = g.gate.Status().Revision // as it is by now: the call may have waited
	if err != nil {
		leave = func() {}
		if !g.weak.GateUnasked {
			return revoked, leave
		}
	}
	return g.weigh(c, f), leave
}

// weigh decides about a call that the operator's overlay admits.
func (g *Gateway) weigh(c *call, f frame.Call) verdict {
	var ok bool
	if c.arguments, ok = parseArguments(c.tool, f.Arguments, g.weak); !ok {
		return badArguments
	}
	c.label = g.held.Label() // as it is by now: the call may have waited at the gate
	if decision := g.authorize(*c); !decision.Permitted && !g.weak.PolicyUnasked {
		return denial(decision.Code)
	}
	if !g.admits(c.tool.Sink, c.label) && !g.weak.CeilingUnasked {
		return deniedCeiling
	}
	return permitted
}

// lookUp finds the tool behind an operation. Only aliases are operations: a
// catalogue name is not one by itself.
func (g *Gateway) lookUp(operation string) (Tool, bool) {
	alias, ok := g.config.Aliases[g.operation(operation)]
	if !ok && g.weak.NamesAreAliases {
		alias, ok = operation, true
	}
	if !ok {
		return Tool{}, false
	}
	tool, ok := g.tools[alias]
	return tool, ok
}

func (g *Gateway) authorize(c call) policy.Decision {
	return g.policies.Decide(policy.Request{
		Tool:        c.tool.Name,
		Groups:      c.tool.Groups,
		Sink:        c.tool.Sink,
		Sensitivity: g.config.Lattice.Rank(c.label),
	})
}

// forward calls the tool and lets its answer through the agent's ceiling.
func (g *Gateway) forward(ctx context.Context, c *call) bridge.Reply {
	response, err := g.callTool(ctx, c)
	verdict, about := upstreamFailed, audit.Payload{}
	if err == nil || g.weak.FailuresReleased {
		about = audit.Answer(response.Text)
		c.label, verdict = g.receive(c.tool)
	}
	if !g.recorded(ctx, *c, verdict, about) {
		return refuse(unavailable)
	}
	if verdict != released {
		return refuse(verdict)
	}
	return bridge.Reply{Text: response.Text}
}

// receive joins an answer's label to the session. The answer may hold what
// was sent, so it is the joined label that must not be above the ceiling.
func (g *Gateway) receive(t Tool) (sensitivity.Label, verdict) {
	label, err := g.join(t.Response)
	if err != nil {
		return g.held.Label(), deniedResponse
	}
	if !g.admits(AgentSink, label) && !g.weak.AnswerUnasked {
		return label, deniedResponse
	}
	return label, released
}

func (g *Gateway) count(tool string, v verdict) {
	if tool == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	tally := g.tallies[tool]
	if v == permitted {
		tally.Allowed++
	} else {
		tally.Denied++
	}
	g.tallies[tool] = tally
}
