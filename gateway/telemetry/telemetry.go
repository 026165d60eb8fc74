// Package telemetry tells an operator what becomes of calls: spans to a collector
// on this machine, and a log.
//
// It promises that both hold numbers and words that were known before the first
// call, and nothing else: no argument, answer, error text, baggage or trace state.
// What may be said of a call is a struct, so that nothing else can be handed over;
// what leaves is compared with the same closed list once more, whoever made the
// span or the line. It promises too that neither a collector nor a log that fails
// stops or delays a call: spans that cannot be sent are counted and lost.
//
// It does not promise that spans arrive. What must not be lost is in the audit log.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Options say where telemetry goes. The zero value is nowhere.
type Options struct {
	Collector string // that takes OTLP over HTTP, as a loopback address and a port; empty: no spans
	Log       string // path of a file that lines are added to; empty: no log
}

// How long a collector may take: for one delivery, and for the last ones when a
// session ends.
const (
	deliveryTimeout = 2 * time.Second
	closeTimeout    = time.Second
)

// queue bounds how many spans wait. More are lost.
const queue = 2048

// Telemetry is that of one session. Safe for concurrent use.
type Telemetry struct {
	words    words
	weak     Weakness
	log      *slog.Logger
	file     *os.File // nil without a log
	tracer   trace.Tracer
	provider *sdk.TracerProvider // nil without a collector
	exporter *exporter
}

// Counts are of spans: those that a collector took, and those that are known to
// be lost.
type Counts struct{ Sent, Lost int64 }

// Open readies telemetry. words are all that it may ever say.
func Open(ctx context.Context, o Options, words []string) (*Telemetry, error) {
	return OpenWeakTelemetry(ctx, o, words, Weakness{})
}

func (t *Telemetry) open(ctx context.Context, o Options) error {
	if o.Log != "" {
		f, err := os.OpenFile(o.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return fmt.Errorf("opening the log: %w", err)
		}
		t.file, t.log = f, slog.New(newHandler(f, t.words, t.weak))
	}
	if o.Collector == "" {
		return nil
	}
	to, err := netip.ParseAddrPort(o.Collector)
	if err != nil || !to.Addr().IsLoopback() || to.Port() == 0 {
		return errors.New("opening telemetry: a collector is a loopback address and a port, such as 127.0.0.1:4318")
	}
	next, err := deliver(ctx, to.String())
	if err != nil {
		return fmt.Errorf("opening telemetry: %w", err)
	}
	t.export(next)
	return nil
}

// export sends spans through an exporter, in batches that no call waits for.
func (t *Telemetry) export(next sdk.SpanExporter) {
	t.exporter = &exporter{next: next, words: t.words, weak: t.weak}
	t.provider = sdk.NewTracerProvider(
		sdk.WithBatcher(t.exporter, sdk.WithMaxQueueSize(queue), sdk.WithExportTimeout(deliveryTimeout)),
		sdk.WithSampler(sdk.AlwaysSample()), // and not what the environment says
	)
	t.tracer = t.provider.Tracer(scope)
}

// deliver is OTLP over HTTP in plain protobuf, with nothing taken from the
// environment: no proxy, no header, and no second try.
func deliver(ctx context.Context, to string) (sdk.SpanExporter, error) {
	dialer := net.Dialer{Timeout: deliveryTimeout}
	return otlptracehttp.New(ctx,
		otlptracehttp.WithEndpoint(to), otlptracehttp.WithInsecure(), otlptracehttp.WithURLPath("/v1/traces"),
		otlptracehttp.WithHeaders(map[string]string{}), otlptracehttp.WithCompression(otlptracehttp.NoCompression),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{}), otlptracehttp.WithTimeout(deliveryTimeout),
		otlptracehttp.WithHTTPClient(&http.Client{
			Transport:     &http.Transport{DialContext: dialer.DialContext, MaxIdleConns: 1, IdleConnTimeout: deliveryTimeout},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Timeout:       deliveryTimeout,
		}),
	)
}

// Counts are those so far.
func (t *Telemetry) Counts() Counts {
	if t.exporter == nil {
		return Counts{}
	}
	return Counts{t.exporter.sent.Load(), t.exporter.lost.Load()}
}

// Close sends what still waits, for no longer than a second, and closes the log. A
// collector that does not answer is no error.
func (t *Telemetry) Close() error {
	if t.provider != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		t.provider.Shutdown(ctx) // what it would say are a collector's words
	}
	if lost := t.Counts().Lost; lost > 0 {
		t.say(SpansLost, slog.Int64(keyLost, lost))
	}
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
