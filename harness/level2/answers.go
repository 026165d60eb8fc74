package level2

import (
	"postern/gateway"
	"postern/gateway/sensitivity"
	"postern/gateway/upstream"
)

// answerMutants are those of the ceilings' last word, and of what becomes of an
// answer.
func answerMutants() []codeMutant {
	plain := func(id, why, server string, weak upstream.AnswerWeakness) codeMutant {
		return codeMutant{id: "answers/" + id, why: why, layer: Answers, place: AtAnswer,
			weak: gateway.Weakness{Tools: weak}}.serving(server, failed)
	}
	return []codeMutant{
		{id: "ceilings/unasked", why: "what a sink's ceiling denies is not kept back", layer: Ceilings, stop: byCeiling,
			weak: gateway.Weakness{CeilingUnasked: true},
			set:  tooHigh},
		{id: "answers/unasked", why: "an answer is released whatever its label is", layer: Answers, stop: withheld, place: AtAnswer,
			weak: gateway.Weakness{AnswerUnasked: true},
			set: func(c *gateway.Config, q *question) {
				c.Ceilings[gateway.AgentSink], q.initial, q.answer = c.Lattice[0], c.Lattice[0], above(*c)
			}},
		{id: "answers/unjoined", why: "an answer's label does not reach the session", layer: Answers, stop: byCeiling,
			weak: gateway.Weakness{AnswerUnjoined: true},
			set: func(c *gateway.Config, q *question) {
				c.Ceilings[q.sink], q.initial, q.answer = c.Lattice[0], c.Lattice[0], above(*c)
				q.before, q.seen = q.tool, q.answer
			}},
		{id: "answers/forgotten", why: "an agent that comes back has the label with which it began", layer: Answers, stop: byCeiling,
			weak: gateway.Weakness{LabelsApart: true},
			set: func(c *gateway.Config, q *question) {
				c.Ceilings[q.sink], q.initial, q.answer = c.Lattice[0], c.Lattice[0], above(*c)
				q.before, q.seen, q.around.again = q.tool, q.answer, true
			}},
		{id: "answers/failure-released", why: "a call that failed is answered as one that did not", layer: Answers, stop: failed, place: AtAnswer,
			weak: gateway.Weakness{FailuresReleased: true},
			set:  func(_ *gateway.Config, q *question) { q.around.server = dies }},
		plain("error-echoed", "what a tool calls an error is released as its answer", errs, upstream.AnswerWeakness{Errors: true}),
		plain("structured-unchecked", "there may be structured content beside an answer's text", structures, upstream.AnswerWeakness{Structured: true}),
		plain("several-parts", "of an answer's several parts the first is released", repeats, upstream.AnswerWeakness{Several: true}),
		plain("unbounded", "an answer may have any length", rambles, upstream.AnswerWeakness{Long: true}),
	}
}

// tooHigh has the agent hold what is above the ceiling of the tool's sink.
func tooHigh(c *gateway.Config, q *question) { c.Ceilings[q.sink], q.initial = c.Lattice[0], above(*c) }

// above is the label above the lowest: of higher ones policies may speak.
func above(c gateway.Config) sensitivity.Label { return c.Lattice[min(1, len(c.Lattice)-1)] }
