package level2

import (
	"bytes"

	"postern/gateway"
	"postern/gateway/policy"
)

// decisionMutants are those of what becomes of a policy's errors, of what the
// schema refuses, and of a denial.
//
// Cedar skips a policy that fails. So a forbid that reads an attribute that was
// left out forbids nothing: the gateway denies where any policy fails, and before
// that where a request does not fit the schema. Each of the two is shown alone,
// and with the other taken away by one and the same forbid.
func decisionMutants() []codeMutant {
	ignored := gateway.Weakness{Policy: policy.Weakness{ErrorsIgnored: true}}
	request := gateway.Weakness{Policy: policy.Weakness{RequestUnchecked: true}}
	entities := gateway.Weakness{Policy: policy.Weakness{EntitiesUnchecked: true}}
	return []codeMutant{
		// Nothing is known of the group, so its attribute cannot be read; the schema has no say in that.
		{id: "errors/ignored", why: "a policy that fails is skipped, and it is the one that forbids", layer: Errors, stop: byPolicy, weak: ignored,
			set: unreadable},
		{id: "errors/ignored", layer: Errors, stop: byPolicy, weak: ignored, beside: request, set: decides(purpose, leftOut, leftOut+purposes)},
		{id: "errors/ignored", layer: Errors, stop: byPolicy, weak: ignored, beside: entities, set: decides(owned, unowned, owner)},
		{id: requestOff, why: "a request that does not fit the schema is decided", layer: Validation, stop: byPolicy, weak: request,
			set: decides("", leftOut, leftOut+purposes)},
		{id: requestOff, layer: Validation, stop: byPolicy, weak: request, beside: ignored, set: decides(purpose, leftOut, leftOut+purposes)},
		{id: "validation/entities-off", why: "a request about entities that do not fit the schema is decided", layer: Validation, stop: byPolicy, weak: entities,
			set: decides("", unowned, owner)},
		{id: "validation/entities-off", layer: Validation, stop: byPolicy, weak: entities, beside: ignored, set: decides(owned, unowned, owner)},
		{id: "validation/policies-off", why: "a policy that does not fit the schema is compiled", layer: Validation, stop: noPolicies,
			weak: gateway.Weakness{Policy: policy.Weakness{PoliciesUnchecked: true}}, set: decides(`when { context.sink == 1 }`, "", "")},
		{id: "policy/default-permits", why: "what no policy speaks of is permitted", layer: Policy, stop: byPolicy,
			weak: gateway.Weakness{Policy: policy.Weakness{DefaultPermits: true}}, set: ungrouped},
		{id: "policy/unasked", why: "what the policies deny is not kept back", layer: Policy, stop: byPolicy, weak: gateway.Weakness{PolicyUnasked: true}, set: ungrouped},
	}
}

const requestOff = "validation/request-off"

// What is put into a schema that has the gateway's entities and context, and
// what then reads it.
const (
	leftOut  = `"sink": String,`
	purposes = ` "purpose": String,`
	purpose  = `when { context.purpose == "x" }`
	unowned  = `entity Tool in [ToolGroup];`
	owner    = `entity Tool in [ToolGroup] = { "owner": String };`
	owned    = `when { resource.owner == "x" }`
)

// decides permits all but what a forbid forbids, if there is one, and says
// something else in the schema.
func decides(forbid, old, changed string) func(*gateway.Config, *question) {
	return func(c *gateway.Config, _ *question) {
		*c = openPolicy(*c)
		if forbid != "" {
			c.Policy.Policies = append(c.Policy.Policies, "\n@id(\"forbid\") forbid (principal, action, resource) "+forbid+";"...)
		}
		c.Policy.Schema = bytes.Replace(c.Policy.Schema, []byte(old), []byte(changed), 1)
	}
}

// unreadable has a forbid read what is not there.
func unreadable(c *gateway.Config, q *question) {
	decides(`when { ToolGroup::"postern-other".closed }`, `entity ToolGroup;`, `entity ToolGroup = { "closed": Bool };`)(c, q)
}

// ungrouped puts the tool into no group.
func ungrouped(_ *gateway.Config, q *question) { q.groups = nil }
