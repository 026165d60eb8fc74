package domain

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"

	"postern/mutants/cedar"
)

// hostile adds what the schema refuses to a Complete domain: changes of valid
// requests, of a few for each way in which the original policies hold and fail.
func (m *maker) hostile(ctx context.Context) {
	before := len(m.Requests)
	for _, r := range m.bases(ctx) {
		for _, h := range m.changes(r) {
			if len(m.Requests)-before < hostileLimit {
				m.add(m.checked(h), true)
			}
		}
	}
}

// bases lists the first two requests of each action for each combination of
// policies that hold.
func (m *maker) bases(ctx context.Context) []Request {
	var policies []*cedargo.Policy
	for _, p := range m.policies {
		policies = append(policies, cedar.Compile(p.original))
	}
	taken := map[string]int{}
	var out []Request
	for _, r := range m.Requests {
		if ctx.Err() != nil {
			return nil
		}
		pattern := []byte(r.Action.String())
		for _, p := range policies {
			pattern = append(pattern, byte('0'+m.comes(p, r)))
		}
		if taken[string(pattern)]++; taken[string(pattern)] <= 2 && len(out) < 200 {
			out = append(out, r)
		}
	}
	return out
}

// comes is what a policy comes to at a request: 1 if it holds, 2 if it fails,
// 0 for neither.
func (m *maker) comes(p *cedargo.Policy, r Request) int {
	_, diagnostic := cedargo.Authorize(one{p}, m.Get(r), r.Request)
	return len(diagnostic.Reasons) + 2*len(diagnostic.Errors)
}

// one is a set of one policy.
type one struct{ policy *cedargo.Policy }

func (o one) All() iter.Seq2[cedargo.PolicyID, *cedargo.Policy] {
	return func(yield func(cedargo.PolicyID, *cedargo.Policy) bool) { yield("", o.policy) }
}

// Stranger is an entity that no schema knows: of another type, or another
// action.
func Stranger(uid types.EntityUID) types.EntityUID {
	if strings.HasSuffix(string(uid.Type), "Action") {
		return types.NewEntityUID(uid.Type, elseID)
	}
	return types.NewEntityUID("PosternUnknown", freshID)
}

// changes lists what the schema may refuse about a request.
func (m *maker) changes(r Request) []Request {
	var out []Request
	change := func(edit func(h *Request)) {
		h := r
		h.Own = maps.Clone(r.Own)
		edit(&h)
		out = append(out, h)
	}
	change(func(h *Request) { h.Principal = Stranger(h.Principal) })
	change(func(h *Request) { h.Resource = Stranger(h.Resource) })
	change(func(h *Request) { h.Action = Stranger(h.Action) })
	change(func(h *Request) { h.Principal, h.Resource = h.Resource, h.Principal })
	change(func(h *Request) { h.Context = types.Record{} })
	change(func(h *Request) { h.Context = altered(h.Context, "postern_extra", types.True) })
	wrong := []types.Value{nil, types.String("postern-wrong"), types.Long(-1)}
	for _, name := range slices.Sorted(r.Context.Keys()) {
		for _, v := range wrong {
			change(func(h *Request) { h.Context = altered(h.Context, name, v) })
		}
	}
	for _, uid := range sortedUIDs(r.Own) {
		for _, name := range slices.Sorted(r.Own[uid].Attributes.Keys()) {
			for _, v := range wrong {
				change(func(h *Request) {
					e := h.Own[uid]
					e.Attributes = altered(e.Attributes, name, v)
					h.Own[uid] = e
				})
			}
		}
	}
	// Entities that are unknown to the store have no attribute and are in no
	// group. They are no schema's business: the request itself is told apart by
	// the extra attribute.
	for _, gone := range []types.EntityUID{r.Principal, r.Resource} {
		change(func(h *Request) {
			delete(h.Own, gone)
			h.Context = altered(h.Context, "postern_extra", types.True)
		})
	}
	return out
}

func altered(r types.Record, name types.String, v types.Value) types.Record {
	m := maps.Clone(r.Map())
	if m == nil {
		m = types.RecordMap{}
	}
	delete(m, name)
	if v != nil {
		m[name] = v
	}
	return types.NewRecord(m)
}
