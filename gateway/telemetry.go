package gateway

import (
	"context"
	"maps"
	"slices"

	"postern/gateway/bridge"
	"postern/gateway/frame"
	"postern/gateway/policy"
	"postern/gateway/telemetry"
)

// answered is what telemetry calls a reply that has no code.
const answered = string(released)

// words are all that telemetry may say of this session: its id, names of the
// configuration, and codes of replies.
func (g *Gateway) words() []string {
	words := []string{g.id, answered}
	for _, v := range []verdict{unknownOperation, badArguments, verdict(policy.DenyError), revoked, deniedCeiling, deniedResponse, upstreamFailed, unavailable} {
		words = append(words, refuse(v).Code)
	}
	for _, label := range g.config.Lattice {
		words = append(words, string(label))
	}
	return slices.AppendSeq(words, maps.Keys(g.tools))
}

// tell ends a call's span.
func (g *Gateway) tell(ctx context.Context, s telemetry.Span, m telemetry.Message, c call, f frame.Call, r bridge.Reply) {
	if g.weak.Telemetry != (telemetry.Weakness{}) {
		s.Show(ctx, telemetry.Seen{Operation: f.Operation, Arguments: string(f.Arguments), Answer: r.Text, Refused: r.Code != ""})
	}
	code := r.Code
	if code == "" {
		code = answered
	}
	s.End(m, telemetry.Call{
		Session: g.id, Number: c.number, Tool: c.tool.Name, Code: code, Label: string(c.label), Revision: c.revision,
	})
}

// Spans counts those of this session.
func (g *Gateway) Spans() telemetry.Counts { return g.exhaust.Counts() }
