package telemetry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// secret is what must not be told.
const secret = "5ca1ab1e0ddba11ca5cade0ff1ce0bed"

var known = []string{"s1", "vault_store", "released", "internal"}

var said = Call{Session: "s1", Number: 7, Tool: "vault_store", Code: "released", Label: "internal", Revision: 3}

// collector keeps what arrives, as it arrives.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	bodies bytes.Buffer
	heads  bytes.Buffer
}

func newCollector(t testing.TB, status int) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		r.Header.Write(&c.heads)
		io.Copy(&c.bodies, r.Body)
		w.WriteHeader(status)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) holds(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Contains(c.bodies.Bytes(), []byte(text)) || bytes.Contains(c.heads.Bytes(), []byte(text))
}

func (c *collector) address() string { return strings.TrimPrefix(c.URL, "http://") }

func opened(t *testing.T, o Options, w Weakness) *Telemetry {
	t.Helper()
	tel, err := OpenWeakTelemetry(t.Context(), o, known, w)
	if err != nil {
		t.Fatal(err)
	}
	return tel
}

// carrying is a context that brings the secret as baggage and as trace state.
func carrying(t *testing.T) context.Context {
	t.Helper()
	member, err := baggage.NewMember("user", secret)
	if err != nil {
		t.Fatal(err)
	}
	bag, err := baggage.New(member)
	if err != nil {
		t.Fatal(err)
	}
	state, err := trace.ParseTraceState("vendor=" + secret)
	if err != nil {
		t.Fatal(err)
	}
	parent := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled, TraceState: state})
	return trace.ContextWithRemoteSpanContext(baggage.ContextWithBaggage(t.Context(), bag), parent)
}

var seen = Seen{Operation: secret, Arguments: secret, Answer: secret, Refused: true}

// Every word of a call that is known arrives over HTTP and in the log, and each
// weakness is heard at its own sink alone, but where the closed list is in force.
func TestNothingIsToldButTheClosedList(t *testing.T) {
	type heard struct{ spans, log bool }
	for name, c := range map[string]struct {
		weak Weakness
		want heard
	}{
		"reference":      {Weakness{}, heard{}},
		"unfiltered":     {Weakness{Unfiltered: true, Unredacted: true}, heard{}},
		"span operation": {Weakness{SpanOperation: true}, heard{spans: true}},
		"span arguments": {Weakness{SpanArguments: true}, heard{spans: true}},
		"span answer":    {Weakness{SpanAnswer: true}, heard{spans: true}},
		"span exception": {Weakness{SpanException: true}, heard{spans: true}},
		"span status":    {Weakness{SpanStatus: true}, heard{spans: true}},
		"baggage":        {Weakness{Baggage: true}, heard{spans: true}},
		"trace state":    {Weakness{TraceState: true}, heard{spans: true}},
		"log arguments":  {Weakness{LogArguments: true}, heard{log: true}},
		"log answer":     {Weakness{LogAnswer: true}, heard{log: true}},
		"log message":    {Weakness{LogMessage: true}, heard{log: true}},
		"log error":      {Weakness{LogError: true}, heard{log: true}},
		"log debug":      {Weakness{LogDebug: true}, heard{log: true}},
	} {
		for _, open := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " open ", open), func(t *testing.T) {
				weak, want := c.weak, heard{}
				if open {
					weak.Unfiltered, weak.Unredacted, want = true, true, c.want
				}
				to := newCollector(t, http.StatusOK)
				o := Options{Collector: to.address(), Log: filepath.Join(t.TempDir(), "log")}
				tel := opened(t, o, weak)
				ctx := carrying(t)
				span := tel.Begin(ctx)
				span.Show(ctx, seen)
				span.End(CallEnded, said)
				if err := tel.Close(); err != nil || tel.Counts() != (Counts{Sent: 1}) {
					t.Fatalf("%+v, %v", tel.Counts(), err)
				}
				log, err := os.ReadFile(o.Log)
				if err != nil {
					t.Fatal(err)
				}
				for _, word := range known {
					if !to.holds(word) || !bytes.Contains(log, []byte(word)) {
						t.Errorf("%q did not arrive", word)
					}
				}
				if got := (heard{to.holds(secret), bytes.Contains(log, []byte(secret))}); got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
			})
		}
	}
}

// Whatever somebody does to a span of the SDK's, the closed list is what leaves.
func TestASpanLeavesWithNothingElse(t *testing.T) {
	kept := tracetest.NewInMemoryExporter()
	tel := opened(t, Options{}, Weakness{})
	tel.export(kept)
	_, span := tel.tracer.Start(carrying(t), secret, trace.WithAttributes(attribute.String(secret, "x")), trace.WithLinks(trace.LinkFromContext(carrying(t), attribute.String("k", secret))))
	span.AddEvent(secret)
	span.RecordError(errors.New(secret), trace.WithStackTrace(true))
	span.SetStatus(codes.Error, secret)
	span.SetAttributes(attribute.String(keyTool, secret), attribute.String(keyNumber, secret), attribute.StringSlice(keyCode, []string{secret}), attribute.Int64(keyRevision, 4))
	span.End()
	if err := tel.provider.ForceFlush(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := kept.GetSpans()
	if len(all) != 1 {
		t.Fatalf("%d spans", len(all))
	}
	s := all[0]
	if text := fmt.Sprintf("%+v", s); strings.Contains(text, secret) || strings.Contains(text, "telemetry_test") {
		t.Error("more leaves than the list has")
	}
	want := []attribute.KeyValue{attribute.String(keyTool, unknown), attribute.Int64(keyRevision, 4)}
	if s.Name != spanName || fmt.Sprint(s.Attributes) != fmt.Sprint(want) || s.Status.Code != codes.Error || len(s.Events)+len(s.Links) != 0 || s.Parent.IsValid() {
		t.Errorf("%+v", s.Attributes)
	}
	if err := tel.Close(); err != nil {
		t.Error(err)
	}
}

// What the environment says of the process is not in a span either.
func TestTheEnvironmentHasNoSay(t *testing.T) {
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "k="+secret)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-k="+secret)
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	to := newCollector(t, http.StatusOK)
	tel := opened(t, Options{Collector: to.address()}, Weakness{})
	tel.Begin(t.Context()).End(CallEnded, said)
	if err := tel.Close(); err != nil || tel.Counts().Sent != 1 || !to.holds("vault_store") || to.holds(secret) {
		t.Errorf("%+v, %v", tel.Counts(), err)
	}
}

func TestTheLogRedactsByType(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(newHandler(&out, words{"vault_store": true}, Weakness{}))
	log.With(secret, secret).WithGroup(secret).Info(secret, secret, 1, "tool", secret, "code", errors.New(secret), "call", secret, "revision", 5, "label", []string{secret}, "session", "vault_store")
	log.Debug("call-ended", "revision", 6)
	text := out.String()
	if strings.Contains(text, secret) || strings.Count(text, "\n") != 1 {
		t.Errorf("%d bytes", len(text))
	}
	for _, part := range []string{`"msg":"unknown"`, `"tool":"unknown"`, `"code":"unknown"`, `"call":"unknown"`, `"revision":5`, `"label":"unknown"`, `"session":"vault_store"`} {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %s", part)
		}
	}
}

// A collector that fails costs spans, and says so in a number.
func TestACollectorThatFailsCostsSpans(t *testing.T) {
	gone := newCollector(t, http.StatusOK)
	gone.Close()
	for name, to := range map[string]*collector{"refuses": newCollector(t, http.StatusInternalServerError), "is gone": gone, "leads elsewhere": newCollector(t, http.StatusTemporaryRedirect)} {
		o := Options{Collector: to.address(), Log: filepath.Join(t.TempDir(), "log")}
		tel := opened(t, o, Weakness{})
		for range 3 {
			tel.Begin(t.Context()).End(CallEnded, said)
		}
		err := tel.Close()
		log, unread := os.ReadFile(o.Log)
		if err != nil || unread != nil || tel.Counts() != (Counts{Lost: 3}) || !strings.Contains(string(log), `"msg":"spans-lost","lost":3`) {
			t.Errorf("%s: %+v, %v, %v", name, tel.Counts(), err, unread)
		}
	}
}

// What a collector says of the spans that it refused is not repeated: the SDK has
// a handler for errors, which prints them.
func TestACollectorIsNotQuoted(t *testing.T) {
	var quoted []string
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { quoted = append(quoted, err.Error()) }))
	refusal := append([]byte{0x08, 1, 0x12, byte(len(secret))}, secret...) // one span was refused, and why
	to := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-protobuf")
		w.Write(append([]byte{0x0a, byte(len(refusal))}, refusal...))
	}))
	defer to.Close()
	tel := opened(t, Options{Collector: strings.TrimPrefix(to.URL, "http://")}, Weakness{})
	tel.Begin(t.Context()).End(CallEnded, said)
	if err := tel.Close(); err != nil || tel.Counts() != (Counts{Lost: 1}) {
		t.Errorf("%+v, %v", tel.Counts(), err)
	}
	if len(quoted) > 0 {
		t.Errorf("%d errors were handed on", len(quoted))
	}
}

// hanging is an exporter that answers when it is told to.
type hanging struct{ answer chan struct{} }

func (h hanging) ExportSpans(ctx context.Context, _ []sdk.ReadOnlySpan) error {
	<-h.answer
	return nil
}
func (h hanging) Shutdown(context.Context) error { return nil }

// Calls go on while a collector hangs: more than the queue and a batch hold.
func TestNoCallWaitsForACollector(t *testing.T) {
	h := hanging{make(chan struct{})}
	tel := opened(t, Options{}, Weakness{})
	tel.export(h)
	for range 2*queue + 1024 {
		tel.Begin(t.Context()).End(CallEnded, said)
	}
	if tel.Counts().Sent != 0 {
		t.Error("the collector has answered")
	}
	close(h.answer)
	if err := tel.Close(); err != nil {
		t.Error(err)
	}
}

func TestACollectorIsOnThisMachine(t *testing.T) {
	for _, to := range []string{"localhost:4318", "192.0.2.1:4318", "127.0.0.1", "127.0.0.1:0", "0.0.0.0:4318", "http://127.0.0.1:4318", "[fe80::1]:1"} {
		if _, err := Open(t.Context(), Options{Collector: to}, nil); err == nil {
			t.Errorf("%s is taken", to)
		}
	}
	if _, err := Open(t.Context(), Options{Log: t.TempDir()}, nil); err == nil {
		t.Error("a directory is a log")
	}
	for _, to := range []string{"127.0.0.1:4318", "[::1]:4318"} {
		tel, err := Open(t.Context(), Options{Collector: to}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := tel.Close(); err != nil {
			t.Error(err)
		}
	}
}
