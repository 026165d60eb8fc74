package level2

import (
	"postern/gateway"
	"postern/gateway/telemetry"
)

// telemetryMutants are those of spans and of the log. What is told at the source
// is stopped once more where it leaves, by a closed list: each of the two is shown
// with the other taken away on both sides.
func telemetryMutants() []codeMutant {
	unfiltered, unredacted := telemetry.Weakness{Unfiltered: true}, telemetry.Weakness{Unredacted: true}
	arguments, line := telemetry.Weakness{SpanArguments: true}, telemetry.Weakness{LogArguments: true}
	span := func(id, why string, weak telemetry.Weakness) codeMutant {
		return codeMutant{id: "spans/" + id, why: why, layer: Spans, place: AtSpans,
			weak: gateway.Weakness{Telemetry: weak}, beside: gateway.Weakness{Telemetry: unfiltered}}
	}
	log := func(id, why string, weak telemetry.Weakness) codeMutant {
		return codeMutant{id: "log/" + id, why: why, layer: Log, place: AtLog,
			weak: gateway.Weakness{Telemetry: weak}, beside: gateway.Weakness{Telemetry: unredacted}}
	}
	all := span("unfiltered", "a span leaves with whatever somebody put into it", unfiltered)
	all.beside.Telemetry = arguments
	every := log("unredacted", "a line is written with whatever somebody put into it", unredacted)
	every.beside.Telemetry = line
	return []codeMutant{
		all,
		span("arguments", "a span has the arguments", arguments),
		span("operation", "a span is named by the agent's word for the tool", telemetry.Weakness{SpanOperation: true}).unknown(),
		span("answer", "a span has the tool's answer", telemetry.Weakness{SpanAnswer: true}).serving(echoes, ""),
		span("exception", "a call that failed is recorded as an exception, with what it was about", telemetry.Weakness{SpanException: true}).serving(dies, failed),
		span("status", "a call that failed is described in the span's status", telemetry.Weakness{SpanStatus: true}).serving(dies, failed),
		span("baggage", "the caller's baggage is forwarded", telemetry.Weakness{Baggage: true}).carrying(),
		span("trace-state", "the caller's trace is carried on, with its state", telemetry.Weakness{TraceState: true}).carrying(),
		every,
		log("arguments", "a line has the arguments", line),
		log("answer", "a line has the tool's answer", telemetry.Weakness{LogAnswer: true}).serving(echoes, ""),
		log("message", "a line says in the agent's words what was called", telemetry.Weakness{LogMessage: true}).unknown(),
		log("error-echoed", "a line has the text of an error", telemetry.Weakness{LogError: true}).serving(dies, failed),
		log("debug", "the debug level is on, and has whole calls", telemetry.Weakness{LogDebug: true}),
	}
}

// unknown has the agent's word for the tool be its canary.
func (m codeMutant) unknown() codeMutant {
	m.line, m.stop = stranger, unknown
	return m
}

// serving has the tool server behave otherwise.
func (m codeMutant) serving(mode string, stop Code) codeMutant {
	m.stop, m.set = stop, func(_ *gateway.Config, q *question) { q.around.server = mode }
	return m
}

// carrying has the caller's context bring baggage and a trace's state.
func (m codeMutant) carrying() codeMutant {
	m.set = func(_ *gateway.Config, q *question) { q.around.carried = true }
	return m
}
