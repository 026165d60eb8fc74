package telemetry

import (
	"context"
	"errors"
	"log/slog"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
)

// Weakness takes promises away, for mutants: each is what some gateway's telemetry
// does. The zero value is strict.
type Weakness struct {
	Unfiltered bool // spans leave as they were made
	Unredacted bool // lines are written as they were made

	SpanOperation bool // a span has the agent's own word for the tool as its name
	SpanArguments bool // a span has the arguments as an attribute
	SpanAnswer    bool // likewise the answer
	SpanException bool // a call that was not answered is recorded as an exception, with what it was about
	SpanStatus    bool // or as a status with a description
	Baggage       bool // the caller's baggage becomes attributes
	TraceState    bool // the caller's trace is carried on, with its state

	LogArguments bool // a line has the arguments
	LogAnswer    bool // likewise the answer
	LogMessage   bool // the message is made of the agent's words
	LogError     bool // a call that was not answered is told of by an error, with what it was about
	LogDebug     bool // the debug level is on, and has whole calls
}

// Seen is what a weak telemetry is shown of a call besides. No strict one is.
type Seen struct {
	Operation, Arguments, Answer string
	Refused                      bool
}

// OpenWeakTelemetry is Open with some promises taken away. Nothing of the gateway's own
// calls it with any: it is for the harness, and a test keeps it there.
func OpenWeakTelemetry(ctx context.Context, o Options, known []string, w Weakness) (*Telemetry, error) {
	t := &Telemetry{words: words{}, weak: w}
	for _, word := range known {
		t.words[word] = true
	}
	if err := t.open(ctx, o); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (w Weakness) level() slog.Level {
	if w.LogDebug {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// context is what a span begins in: nothing of the caller's.
func (w Weakness) context(ctx context.Context) context.Context {
	if w.TraceState {
		return ctx
	}
	return context.Background()
}

// Show tells what a weakness has it tell.
func (s Span) Show(ctx context.Context, c Seen) {
	s.showSpan(ctx, c)
	s.showLog(c)
}

func (s Span) showSpan(ctx context.Context, c Seen) {
	w, span := s.telemetry.weak, s.span
	if span == nil {
		return
	}
	failure := errors.New("not answered: " + c.Operation + " " + c.Arguments)
	if w.SpanOperation {
		span.SetName(c.Operation)
	}
	if w.SpanArguments {
		span.SetAttributes(attribute.String("arguments", c.Arguments))
	}
	if w.SpanAnswer {
		span.SetAttributes(attribute.String("answer", c.Answer))
	}
	if w.SpanException && c.Refused {
		span.RecordError(failure)
	}
	if w.SpanStatus && c.Refused {
		span.SetStatus(codes.Error, failure.Error())
	}
	if w.Baggage {
		for _, m := range baggage.FromContext(ctx).Members() {
			span.SetAttributes(attribute.String(m.Key(), m.Value()))
		}
	}
}

func (s Span) showLog(c Seen) {
	w, log := s.telemetry.weak, s.telemetry.log
	if log == nil {
		return
	}
	if w.LogArguments {
		log.Info(string(CallEnded), "arguments", c.Arguments)
	}
	if w.LogAnswer {
		log.Info(string(CallEnded), "answer", c.Answer)
	}
	if w.LogMessage {
		log.Info("called " + c.Operation)
	}
	if w.LogError && c.Refused {
		log.Error(string(CallEnded), "error", errors.New("not answered: "+c.Operation+" "+c.Arguments))
	}
	log.Debug(string(CallEnded), "call", c)
}
