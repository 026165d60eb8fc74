package policy

import (
	"slices"

	cedar "github.com/cedar-policy/cedar-go"
)

// Request asks whether the agent may call a tool. The zero value asks about
// a tool without a name at an unknown sensitivity.
type Request struct {
	Tool        string   // catalogue name
	Groups      []string // the tool groups it belongs to
	Sink        string   // where the tool's arguments end
	Sensitivity int      // rank of the session's label, from 1; 0 is unknown
}

// Code says how a decision came about.
type Code string

// The codes.
const (
	Permit      Code = "permit"       // a policy permits and none forbids
	DenyDefault Code = "deny-default" // no policy permits
	DenyPolicy  Code = "deny-policy"  // a policy forbids
	DenyError   Code = "deny-error"   // a policy could not be evaluated
	DenyRequest Code = "deny-request" // the request does not fit the schema
)

// Decision is the answer; the zero value denies.
type Decision struct {
	Permitted bool
	Code      Code
	Policies  []string // sorted ids of the policies that decided, or that failed
}

// Decide answers a request.
func (e *Engine) Decide(r Request) Decision {
	request, entities := r.cedar()
	if e.validator.Request(request) != nil && !e.weak.RequestUnchecked {
		return Decision{Code: DenyRequest}
	}
	if e.validator.Entities(entities) != nil && !e.weak.EntitiesUnchecked {
		return Decision{Code: DenyRequest}
	}
	return e.authorize(request, entities)
}

// authorize evaluates without validation. Errors come first: one means that
// some policy had no say, and that policy may have been a forbid.
func (e *Engine) authorize(request cedar.Request, entities cedar.EntityMap) Decision {
	verdict, diagnostic := cedar.Authorize(e.policies, entities, request)
	if len(diagnostic.Errors) > 0 && !e.weak.ErrorsIgnored {
		return Decision{Code: DenyError, Policies: failed(diagnostic.Errors)}
	}
	reasons := decided(diagnostic.Reasons)
	switch {
	case verdict == cedar.Allow:
		return Decision{Permitted: true, Code: Permit, Policies: reasons}
	case len(reasons) > 0:
		return Decision{Code: DenyPolicy, Policies: reasons}
	case e.weak.DefaultPermits:
		return Decision{Permitted: true, Code: Permit}
	default:
		return Decision{Code: DenyDefault}
	}
}

func (r Request) cedar() (cedar.Request, cedar.EntityMap) {
	agent := cedar.NewEntityUID("Agent", "agent")
	tool := cedar.NewEntityUID("Tool", cedar.String(r.Tool))
	groups := make([]cedar.EntityUID, 0, len(r.Groups))
	for _, group := range r.Groups {
		groups = append(groups, cedar.NewEntityUID("ToolGroup", cedar.String(group)))
	}
	entities := cedar.EntityMap{
		agent: {UID: agent},
		tool:  {UID: tool, Parents: cedar.NewEntityUIDSet(groups...)},
	}
	return cedar.Request{
		Principal: agent,
		Action:    cedar.NewEntityUID("Action", "call"),
		Resource:  tool,
		Context: cedar.NewRecord(cedar.RecordMap{
			"sensitivity": cedar.Long(r.Sensitivity),
			"sink":        cedar.String(r.Sink),
		}),
	}, entities
}

func decided(reasons []cedar.DiagnosticReason) []string {
	ids := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		ids = append(ids, string(reason.PolicyID))
	}
	slices.Sort(ids)
	return ids
}

func failed(errs []cedar.DiagnosticError) []string {
	ids := make([]string, 0, len(errs))
	for _, err := range errs {
		ids = append(ids, string(err.PolicyID))
	}
	slices.Sort(ids)
	return ids
}
