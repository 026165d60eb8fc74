package telemetry

import (
	"context"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

const (
	scope    = "postern"
	spanName = "call"
)

// exporter hands on what may leave of each span. It never fails: the SDK would
// print what a collector said.
type exporter struct {
	next       sdk.SpanExporter
	words      words
	weak       Weakness
	sent, lost atomic.Int64
}

func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	kept := make([]sdk.ReadOnlySpan, len(spans))
	for i, s := range spans {
		kept[i] = plain{s, e.words}
		if e.weak.Unfiltered {
			kept[i] = s
		}
	}
	if e.next.ExportSpans(ctx, kept) != nil {
		e.lost.Add(int64(len(spans)))
		return nil
	}
	e.sent.Add(int64(len(spans)))
	return nil
}

func (e *exporter) Shutdown(ctx context.Context) error {
	e.next.Shutdown(ctx)
	return nil
}

// plain is a span with nothing but times, ids, and the attributes of the closed
// list. Everything else that the SDK lets somebody say has a fixed value.
type plain struct {
	sdk.ReadOnlySpan
	words words
}

func (p plain) Name() string { return spanName }

func (p plain) Attributes() (all []attribute.KeyValue) {
	for _, a := range p.ReadOnlySpan.Attributes() {
		text, known := kindOf(string(a.Key))
		switch {
		case !known:
		case text && a.Value.Type() == attribute.STRING:
			all = append(all, attribute.String(string(a.Key), p.words.known(a.Value.AsString())))
		case !text && a.Value.Type() == attribute.INT64:
			all = append(all, a)
		}
	}
	return all
}

func (p plain) SpanContext() trace.SpanContext {
	return p.ReadOnlySpan.SpanContext().WithTraceState(trace.TraceState{})
}

func (p plain) Parent() trace.SpanContext { return trace.SpanContext{} }
func (p plain) Links() []sdk.Link         { return nil }
func (p plain) Events() []sdk.Event       { return nil }
func (p plain) Status() sdk.Status        { return sdk.Status{Code: p.ReadOnlySpan.Status().Code} }

func (p plain) InstrumentationScope() instrumentation.Scope {
	return instrumentation.Scope{Name: scope}
}

// Resource leaves out what the SDK reads from the environment.
func (p plain) Resource() *resource.Resource {
	return resource.NewSchemaless(attribute.String("service.name", scope))
}
