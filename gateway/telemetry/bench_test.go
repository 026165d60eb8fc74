package telemetry

import (
	"net/http"
	"path/filepath"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// What a call pays for being told of: nowhere, in a span for an exporter that drops
// it, in a span for a collector over HTTP, and in a line.
func BenchmarkCall(b *testing.B) {
	for _, c := range []struct {
		name    string
		options func(b *testing.B) Options
		dropped bool
	}{
		{"nowhere", func(*testing.B) Options { return Options{} }, false},
		{"span-dropped", func(*testing.B) Options { return Options{} }, true},
		{"span-sent", func(b *testing.B) Options { return Options{Collector: newCollector(b, http.StatusOK).address()} }, false},
		{"line", func(b *testing.B) Options { return Options{Log: filepath.Join(b.TempDir(), "log")} }, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			tel, err := Open(b.Context(), c.options(b), known)
			if err != nil {
				b.Fatal(err)
			}
			if c.dropped {
				tel.export(tracetest.NewNoopExporter())
			}
			for b.Loop() {
				tel.Begin(b.Context()).End(CallEnded, said)
			}
			if err := tel.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
