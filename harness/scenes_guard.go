package harness

import (
	"context"
	"slices"
	"strings"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/guard"
	"postern/harness/oracle"
)

// spawnState is what a gateway finds when it starts a tool server, and what the
// reference makes of it.
type spawnState struct {
	ID      string
	Why     string
	Refused guard.Reason          // why the reference does not start the server; "" where it does, confined
	Change  func(*gateway.Config) // of what was enrolled; nil changes nothing

	Optional bool // what was enrolled need not be confined
}

// spawnStates has one for every row of the reference's table that refuses or
// confines.
func spawnStates() []spawnState {
	return []spawnState{
		{ID: "enrolled", Why: "a hostile tool server that is enrolled"},
		{ID: "stripped-optional", Why: "a hostile tool server whose marker is gone, and that need not be confined", Optional: true, Change: func(c *gateway.Config) {
			c.Upstream.Guard.Profile = ""
		}},
		{ID: "original-changed", Why: "the command is another than was enrolled", Refused: guard.OriginalChanged, Change: func(c *gateway.Config) {
			c.Upstream.Args = append(c.Upstream.Args, "--changed")
		}},
		{ID: "malformed", Why: "the profile hash is none", Refused: guard.MarkerMalformed, Change: func(c *gateway.Config) {
			c.Upstream.Guard.Profile = "malformed"
		}},
		{ID: "mismatched", Why: "the stored profile is another than was enrolled", Refused: guard.MarkerMismatched, Change: func(c *gateway.Config) {
			c.Upstream.Guard.Profile = strings.Repeat("0", len(c.Upstream.Guard.Profile))
		}},
		{ID: "stripped", Why: "the marker is gone, and the profile is required", Refused: guard.MarkerStripped, Change: func(c *gateway.Config) {
			c.Upstream.Guard.Profile, c.Upstream.Guard.Optional = "", true // the profile still says so
		}},
		{ID: "wiped", Why: "the store is gone, and the marker requires it", Refused: guard.StoreWiped, Change: func(c *gateway.Config) {
			c.Upstream.Guard.State += "-wiped"
		}},
		{ID: "not-enrolled", Why: "the server was never enrolled, and must be confined", Refused: guard.NotEnrolled, Change: func(c *gateway.Config) {
			c.Upstream.Guard.State, c.Upstream.Guard.Profile = "", ""
		}},
		{ID: "backend-missing", Why: "there is no sandbox, and the profile is required", Refused: guard.BackendMissing, Change: func(c *gateway.Config) {
			c.Upstream.Guard.Places = []string{"/nowhere/bwrap"}
		}},
	}
}

// guardScenes are trials of a hostile tool server: no container takes part, but a
// gateway in a process of its own, with a terminal, which is killed at the end.
func guardScenes() []scene {
	var all []scene
	for _, s := range spawnStates() {
		want := oracle.Expectation{Sinks: []channel.Sink{channel.SinkTool}, Outcome: string(bridge.Completed)}
		for _, c := range channel.Guarded() {
			want.Sinks = append(want.Sinks, c.Sink)
			if s.Refused == "" {
				want.Probes = append(want.Probes, c.ID)
			}
		}
		if s.Refused == "" {
			want.Probes, want.Released = append(want.Probes, channel.ToolPermitted), 1
		}
		slices.Sort(want.Probes)
		all = append(all, scene{
			ID: "guard/" + s.ID, Why: s.Why, Guarded: true, Expect: want,
			Lead: func(ctx context.Context, t *trial) error { return t.intruded(ctx, s) },
		})
	}
	return all
}
