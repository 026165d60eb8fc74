package level2

import (
	"postern/gateway"
	"postern/gateway/sensitivity"
)

// answerMutants are those of the ceilings' last word, and of what becomes of an
// answer.
func answerMutants() []codeMutant {
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
		{id: "answers/failure-released", why: "a call that failed is answered as one that did not", layer: Answers, stop: failed, place: AtAnswer,
			weak: gateway.Weakness{FailuresReleased: true},
			set:  func(_ *gateway.Config, q *question) { q.around.server = dies }},
	}
}

// tooHigh has the agent hold what is above the ceiling of the tool's sink.
func tooHigh(c *gateway.Config, q *question) { c.Ceilings[q.sink], q.initial = c.Lattice[0], above(*c) }

// above is the label above the lowest: of higher ones policies may speak.
func above(c gateway.Config) sensitivity.Label { return c.Lattice[min(1, len(c.Lattice)-1)] }
