package gateway

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/gate"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/gateway/telemetry"
	"postern/gateway/upstream"
	"postern/gateway/watchdog"
)

// AgentSink is the sink where tool answers go: the agent itself.
const AgentSink = "agent"

// Config is the whole subject: what confines the agent, and what the gateway
// lets through. Mutants alter a Clone of it.
type Config struct {
	Image     string               // immutable id of the agent's image
	Profile   confine.Profile      // of the agent's container
	Limits    bridge.Limits        // of a session
	Aliases   map[string]string    // operation -> catalogue name
	Catalogue []Tool               // what may be called at all
	Policy    policy.Source        // who may call what
	Lattice   sensitivity.Lattice  // labels, lowest first
	Ceilings  sensitivity.Ceilings // by sink; a sink without one takes nothing
	Initial   sensitivity.Label    // of the data that the agent holds at the start
	Upstream  upstream.Server      // the tool server
	Audit     string               // path of the audit log
	AuditKeys string               // directory where the session's commitment key is kept; empty: nowhere, and it is gone with the session
	Telemetry telemetry.Options    // where spans and the log go; empty: nowhere
	Gate      gate.Options         // the operator's overlay: where its revisions are kept
	Watch     Supervision          // what becomes of the container when the bridge fails
}

// Supervision says how a session is watched. The zero value is strict.
type Supervision struct {
	Off    bool // no watchdog at all
	Timing watchdog.Timing
	Weak   watchdog.Weakness
}

// Tool is one entry of the catalogue.
type Tool struct {
	Name       string            // as the tool server lists it
	Sink       string            // where its arguments end
	Groups     []string          // tool groups that policies speak of
	Arguments  []string          // the exact set of its arguments, all texts
	Response   sensitivity.Label // of what it answers
	Definition string            // upstream's digest of its definition
}

// Clone copies a configuration deeply.
func (c Config) Clone() Config {
	c.Profile = c.Profile.Clone()
	c.Aliases = maps.Clone(c.Aliases)
	c.Catalogue = slices.Clone(c.Catalogue)
	for i, tool := range c.Catalogue {
		c.Catalogue[i] = tool.Clone()
	}
	c.Policy = c.Policy.Clone()
	c.Lattice = slices.Clone(c.Lattice)
	c.Ceilings = maps.Clone(c.Ceilings)
	c.Upstream = c.Upstream.Clone()
	return c
}

// Clone copies a tool deeply.
func (t Tool) Clone() Tool {
	t.Groups, t.Arguments = slices.Clone(t.Groups), slices.Clone(t.Arguments)
	return t
}

// name is the form of what goes into audit rows and to the tool server.
var name = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$`)

// validate refuses what the call path could not decide on. What it would
// deny, such as a sink without a ceiling, is left to it.
func (c Config) validate(w Weakness) error {
	if err := c.Lattice.Validate(); err != nil {
		return err
	}
	tools := make(map[string]bool)
	for _, tool := range c.Catalogue {
		if err := tool.validate(c.Lattice, w); err != nil {
			return err
		}
		if tools[tool.Name] && !w.ToolsTwice {
			return fmt.Errorf("tool %q stands in the catalogue twice", tool.Name)
		}
		tools[tool.Name] = true
	}
	for _, operation := range slices.Sorted(maps.Keys(c.Aliases)) {
		if !tools[c.Aliases[operation]] && !w.AliasesUnchecked {
			return fmt.Errorf("alias %q names no tool of the catalogue", operation)
		}
	}
	return nil
}

func (t Tool) validate(l sensitivity.Lattice, w Weakness) error {
	if !name.MatchString(t.Name) {
		return errors.New("a tool of the catalogue has no name or a malformed one")
	}
	if l.Rank(w.Labels.Read(l, t.Response)) == 0 && !w.Labels.UnknownKept {
		return fmt.Errorf("tool %q answers at a label that is not in the lattice", t.Name)
	}
	sorted := slices.Sorted(slices.Values(t.Arguments))
	if len(slices.Compact(sorted)) != len(t.Arguments) {
		return fmt.Errorf("tool %q has an argument twice", t.Name)
	}
	return nil
}
