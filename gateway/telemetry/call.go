package telemetry

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// Message is what a line of the log is about, a closed word.
type Message string

// The messages. A call that ended otherwise than by panicking is a CallEnded,
// whatever became of it.
const (
	CallEnded    Message = "call-ended"
	CallPanicked Message = "call-panicked"
	SpansLost    Message = "spans-lost"
)

// Call is all that may be said of a call: numbers, and words that were named to
// Open. Any other word is told as unknown.
type Call struct {
	Session  string
	Number   int64
	Tool     string // empty where the operation names none
	Code     string
	Label    string // of the session
	Revision uint64 // of the operator's overlay
}

// The closed list of keys.
const (
	keySession  = "session"
	keyNumber   = "call"
	keyTool     = "tool"
	keyCode     = "code"
	keyLabel    = "label"
	keyRevision = "revision"
	keyLost     = "lost"
)

// kindOf says of a key whether its value is a word, or a number; ok is false of one
// that is not in the list.
func kindOf(key string) (text, ok bool) {
	switch key {
	case keySession, keyTool, keyCode, keyLabel:
		return true, true
	case keyNumber, keyRevision, keyLost:
		return false, true
	}
	return false, false
}

// unknown stands for what may not be told.
const unknown = "unknown"

// words are the values that may be told.
type words map[string]bool

func (w words) known(text string) string {
	if w[text] || text == "" {
		return text
	}
	return unknown
}

// Span is that of one call.
type Span struct {
	telemetry *Telemetry
	span      trace.Span // nil without a collector
}

// Begin begins the span of a call. It begins a trace: nothing of the caller's is
// carried on.
func (t *Telemetry) Begin(ctx context.Context) Span {
	s := Span{telemetry: t}
	if t.tracer != nil {
		_, s.span = t.tracer.Start(t.weak.context(ctx), spanName, trace.WithSpanKind(trace.SpanKindServer))
	}
	return s
}

// End ends the span, and writes a line.
func (s Span) End(m Message, c Call) {
	w := s.telemetry.words
	if s.span != nil {
		s.span.SetAttributes(
			attribute.String(keySession, w.known(c.Session)), attribute.Int64(keyNumber, c.Number),
			attribute.String(keyTool, w.known(c.Tool)), attribute.String(keyCode, w.known(c.Code)),
			attribute.String(keyLabel, w.known(c.Label)), attribute.Int64(keyRevision, int64(c.Revision)),
		)
		s.span.End()
	}
	s.telemetry.say(m,
		slog.String(keySession, c.Session), slog.Int64(keyNumber, c.Number), slog.String(keyTool, c.Tool),
		slog.String(keyCode, c.Code), slog.String(keyLabel, c.Label), slog.Uint64(keyRevision, c.Revision))
}

func (t *Telemetry) say(m Message, facts ...slog.Attr) {
	if t.log != nil {
		t.log.LogAttrs(context.Background(), slog.LevelInfo, string(m), facts...)
	}
}
