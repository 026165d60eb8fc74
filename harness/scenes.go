package harness

import (
	"context"
	"slices"

	"postern/fixtures/channel"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/harness/oracle"
)

// scene is a trial that is not one ordinary session: the trusted side is hurt,
// or the harness plays the operator. Mutants name it as the one in which they
// show.
type scene struct {
	ID       string
	Why      string
	Upstream string // what the tool server does
	Watched  bool   // the host observer looks after the container
	Guarded  bool   // the tool server is hostile, and nothing but what it may reach is observed
	Expect   oracle.Expectation
	Lead     func(context.Context, *trial) error
}

// scenes lists them all.
func (p Plan) scenes() []scene {
	var all []scene
	for _, f := range faults() {
		all = append(all, scene{
			ID: f.ID, Why: f.Why, Watched: true,
			Expect: oracle.Expectation{
				Probes:   []channel.ID{channel.ToolPermitted},
				Sinks:    append(listened(p.Tier), channel.SinkHost),
				Released: 1,
				Outcome:  string(f.Outcome),
			},
			Lead: func(ctx context.Context, t *trial) error { return t.hurt(ctx, f) },
		})
	}
	full := oracle.Expectation{
		Probes:  without(probes(p.Tier), channel.ToolPermitted, channel.ToolPublic),
		Sinks:   listened(p.Tier),
		Outcome: string(bridge.GatewayUnavailable),
	}
	all = append(all, guardScenes()...)
	return append(all,
		scene{
			ID: "audit-disk-full", Why: "the disk of the audit log is full: nothing is released unrecorded",
			Expect: full, Lead: func(ctx context.Context, t *trial) error { return t.diskFull(ctx) },
		},
		p.operated("cut-over", "a tool is revoked with one call under way and one behind", "hold", cutOver),
		p.operated("stale-revision", "an older revision tries to bring a revoked tool back", "", staleRevision),
		p.operated("invalid-update", "an update names a tool that does not exist", "", invalidUpdate),
	)
}

func (p Plan) operated(id, why, upstream string, script func(context.Context, operator) error) scene {
	return scene{
		ID: id, Why: why, Upstream: upstream,
		Expect: oracle.Expectation{
			Probes:   []channel.ID{channel.ToolPermitted, channel.ToolRevoked},
			Sinks:    listened(p.Tier),
			Released: 1,
			Outcome:  string(bridge.Completed),
		},
		Lead: func(ctx context.Context, t *trial) error { return t.operate(ctx, script) },
	}
}

// listened lists the sinks whose observers need no container.
func listened(tier confine.Tier) []channel.Sink {
	return slices.DeleteFunc(sinks(tier), func(s channel.Sink) bool { return s.Needs() != channel.NeedsNothing })
}

// scene is the one of that name, or nil.
func (p Plan) scene(id string) *scene {
	for _, s := range p.scenes() {
		if s.ID == id {
			return &s
		}
	}
	return nil
}
