package gateway

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"postern/gateway/bridge"
)

// told is a session whose spans and log are kept as they arrive.
type told struct {
	*Gateway
	sink *sink
	log  string

	mu    sync.Mutex
	spans bytes.Buffer
}

func newTold(t *testing.T, status int, change func(*Config)) *told {
	t.Helper()
	s := &told{sink: newSink(t), log: filepath.Join(t.TempDir(), "log")}
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		io.Copy(&s.spans, r.Body)
		w.WriteHeader(status)
	}))
	t.Cleanup(collector.Close)
	c := config(t, s.sink)
	c.Telemetry.Collector, c.Telemetry.Log = strings.TrimPrefix(collector.URL, "http://"), s.log
	if change != nil {
		change(&c)
	}
	s.Gateway = opened(t, c)
	return s
}

// says closes the session, and reports whether spans and the log hold a text.
func (s *told) says(t *testing.T, text string) (inSpans, inLog bool) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(s.log)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Contains(s.spans.Bytes(), []byte(text)), bytes.Contains(log, []byte(text))
}

// silent demands that spans and the log say a code, and nothing of a call.
func (s *told) silent(t *testing.T, code string) {
	t.Helper()
	for _, text := range []string{secret, "stored", "no-such-operation"} {
		if spans, log := s.says(t, text); spans || log {
			t.Errorf("telemetry says what a call held: spans %v, log %v", spans, log)
		}
	}
	if spans, log := s.says(t, code); !spans || !log {
		t.Errorf("%s: in spans %v, in the log %v", code, spans, log)
	}
}

func (s *told) received(t *testing.T, want int) {
	t.Helper()
	if _, texts := s.sink.heard("vault_store", secret); texts != want {
		t.Errorf("the tool received it %d times, want %d", texts, want)
	}
}

func TestTelemetryHasWordsAndNumbers(t *testing.T) {
	s := newTold(t, http.StatusOK, nil)
	for operation, code := range map[string]string{"deliver": "", "publish": "denied-ceiling", "no-such-operation": "unknown-operation"} {
		if r := s.Handle(t.Context(), asks(t, operation, secret)); r.Code != code {
			t.Errorf("%s: %q", operation, r.Code)
		}
	}
	s.received(t, 1)
	for _, code := range []string{"response-released", "denied-ceiling", "unknown-operation", "vault_store", "confidential", s.id} {
		s.silent(t, code)
	}
	if n := s.Spans(); n.Sent != 3 || n.Lost != 0 {
		t.Errorf("%+v", n)
	}
}

func TestACollectorThatFailsStopsNoCall(t *testing.T) {
	s := newTold(t, http.StatusInternalServerError, nil)
	for range 5 {
		if r := s.Handle(t.Context(), asks(t, "deliver", secret)); r.Code != "" {
			t.Errorf("%q", r.Code)
		}
	}
	s.received(t, 5)
	s.silent(t, "response-released") // it took the request before it refused it
	if n := s.Spans(); n.Lost != 5 {
		t.Errorf("%+v", n)
	}
}

// The tool has received the call when the gateway panics.
func TestAPanicIsToldByAWord(t *testing.T) {
	s := newTold(t, http.StatusOK, nil)
	s.sink.hold = func() { s.held = nil }
	if r := s.Handle(t.Context(), asks(t, "deliver", secret)); r != refuse(unavailable) || r.Fatal != bridge.GatewayUnavailable {
		t.Errorf("%q", r.Code)
	}
	s.received(t, 1)
	if _, log := s.says(t, `"msg":"call-panicked"`); !log {
		t.Error("the log does not say it")
	}
	if spans, log := s.says(t, "goroutine"); spans || log {
		t.Error("a stack is told")
	}
	s.silent(t, "gateway-unavailable")
}

func TestACancelledCallIsToldByAWord(t *testing.T) {
	s := newTold(t, http.StatusOK, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	s.sink.hold = func() { cancel(context.DeadlineExceeded) }
	s.Handle(ctx, asks(t, "deliver", secret))
	s.received(t, 1)
	if spans, log := s.says(t, "deadline"); spans || log {
		t.Error("the cause is told")
	}
	s.silent(t, "vault_store")
}

// The row of the answer cannot be kept: the tool has received the call by then.
func TestAnAuditThatFailsIsToldByAWord(t *testing.T) {
	s := newTold(t, http.StatusOK, nil)
	s.sink.hold = func() {
		db, err := sql.Open("sqlite", s.config.Audit)
		if err == nil {
			_, err = db.Exec(`DROP TABLE audit`)
			db.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
	if r := s.Handle(t.Context(), asks(t, "deliver", secret)); r != refuse(unavailable) {
		t.Errorf("%q", r.Code)
	}
	s.received(t, 1)
	if spans, log := s.says(t, "no such table"); spans || log {
		t.Error("the database's words are told")
	}
	s.silent(t, "gateway-unavailable")
}

// The tool server dies with the call in its hands.
func TestAToolThatDiesIsToldByAWord(t *testing.T) {
	s := newTold(t, http.StatusOK, func(c *Config) { c.Upstream.Env = append(c.Upstream.Env, "POSTERN_MODE=die") })
	if r := s.Handle(t.Context(), asks(t, "deliver", secret)); r.Code != "upstream-failed" {
		t.Errorf("%q", r.Code)
	}
	s.received(t, 1)
	s.silent(t, "upstream-failed")
}
