package level2

import "postern/gateway"

// argumentMutants are those of the comparison of a call with its tool's
// arguments. How many there are and what they are called double each other for
// what stands beside the tool's own.
func argumentMutants() []codeMutant {
	const (
		beside  = `{"operation":"DO","arguments":{"text":"CANARY","postern-other":"x"}}`
		nothing = `{"operation":"DO","arguments":{"text":"CANARY","more":null}}`
	)
	two := func(c *gateway.Config, q *question) {
		edit(c, q, func(t *gateway.Tool) { t.Arguments = append(t.Arguments, "more") })
	}
	uncounted, unnamed := gateway.Weakness{ArgumentsUncounted: true}, gateway.Weakness{ArgumentsUnnamed: true}
	return []codeMutant{
		{id: "arguments/uncounted", why: "an argument may be missing", layer: Arguments, stop: malformed, weak: uncounted, set: two},
		{id: "arguments/uncounted", why: "", layer: Arguments, stop: malformed, weak: uncounted, beside: unnamed, line: beside},
		{id: "arguments/unnamed", why: "an argument may have any name", layer: Arguments, stop: malformed, weak: unnamed, line: beside, set: two},
		{id: "arguments/unnamed", why: "", layer: Arguments, stop: malformed, weak: unnamed, beside: uncounted, line: beside},
		{id: "arguments/untyped", why: "what is no text is passed on as it is spelt", layer: Arguments, stop: malformed,
			weak: gateway.Weakness{ArgumentsUntyped: true}, line: `{"operation":"DO","arguments":{"text":["CANARY"]}}`},
		{id: "arguments/null", why: "null is an empty text", layer: Arguments, stop: malformed,
			weak: gateway.Weakness{NullArguments: true}, line: nothing, set: two},
		{id: "arguments/unbounded", why: "an argument may have any length", layer: Arguments, stop: malformed,
			weak: gateway.Weakness{LongArguments: true}, line: `{"operation":"DO","arguments":{"text":"CANARYLONG"}}`},
	}
}
