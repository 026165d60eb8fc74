package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// receiver takes spans as a collector does, and keeps every byte.
type receiver struct {
	address string

	mu    sync.Mutex
	said  bytes.Buffer
	spans int
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(body, &sent) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.said.Write(body)
		fmt.Fprint(&r.said, request.URL, request.Header)
		for _, resource := range sent.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				r.spans += len(scope.Spans)
			}
		}
	}))
	t.Cleanup(server.Close)
	r.address = strings.TrimPrefix(server.URL, "http://")
	return r
}

// What the file names as collector and log is told of every call of every client,
// and of nothing that a call holds. Without the key nobody is.
func TestGatewayTellsOfCallsWhereTheFileSays(t *testing.T) {
	for name, c := range map[string]struct{ spans, log bool }{
		"nowhere": {}, "to a collector": {spans: true}, "in a log": {log: true}, "both": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			lab, r := newGatewayLab(t), newReceiver(t)
			wantSpans, wantLines := 0, 0
			if c.spans {
				lab.Telemetry.Collector, wantSpans = r.address, 2
			}
			if c.log {
				lab.Telemetry.Log, wantLines = "gateway.log", 2
			}
			answers, said, code := lab.over(t, helloMessage, readyMessage, callMessage(2, "deliver", marker), callMessage(3, "publish", marker), "")
			if code != exitOK || len(answers) != 2 || lab.sink.heard("vault_store") != 1 {
				t.Fatalf("exit code %d, %d answers: %s", code, len(answers), said)
			}
			lines, err := os.ReadFile(filepath.Join(lab.dir, "gateway.log"))
			if os.IsNotExist(err) == c.log {
				t.Fatal(err)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if got := bytes.Count(lines, []byte{'\n'}); r.spans != wantSpans || got != wantLines {
				t.Errorf("%d spans and %d lines, want %d and %d", r.spans, got, wantSpans, wantLines)
			}
			for where, text := range map[string][]byte{"spans": r.said.Bytes(), "log": lines} {
				if bytes.Contains(text, []byte(marker)) || len(text) > 0 && !bytes.Contains(text, []byte("vault_store")) {
					t.Errorf("the %s hold plaintext, or nothing of the call", where)
				}
			}
		})
	}
}

// A collector that is not there costs spans and nothing else.
func TestGatewayServesWithoutItsCollector(t *testing.T) {
	lab := newGatewayLab(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	lab.Telemetry = gatewayTelemetry{Collector: strings.TrimPrefix(gone.URL, "http://"), Log: "gateway.log"}
	gone.Close()
	answers, said, code := lab.over(t, helloMessage, readyMessage, callMessage(2, "deliver", marker), "")
	lines, err := os.ReadFile(filepath.Join(lab.dir, "gateway.log"))
	if code != exitOK || len(answers) != 1 || answers[0] != released || err != nil || !bytes.Contains(lines, []byte("lost")) {
		t.Errorf("exit code %d, %v: %s%s", code, err, said, lines)
	}
}

// Spans are not encrypted, so they stay on this machine.
func TestGatewayRefusesACollectorElsewhere(t *testing.T) {
	for _, where := range []string{"192.0.2.1:4318", "localhost:4318", "http://127.0.0.1:4318", "127.0.0.1:0", "127.0.0.1"} {
		lab := newGatewayLab(t)
		lab.Telemetry.Collector = where
		answers, said, code := lab.over(t, helloMessage)
		if code != exitUsage || len(answers) != 0 || !strings.Contains(said, "must be a loopback address and a port") || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: exit code %d: %s", where, code, said)
		}
	}
}
