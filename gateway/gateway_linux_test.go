package gateway

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"postern/gateway/audit"
	"postern/gateway/bridge"
	"postern/gateway/frame"
)

// secret stands for plaintext: it must be where it is released and nowhere else.
const secret = "zq7plaintext"

// rows reads the decisions in an audit log as "call tool code label".
func rows(t testing.TB, path string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query(`SELECT call, tool, code, label FROM audit WHERE code <> ? ORDER BY sequence`, audit.SessionClosed)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var out []string
	for found.Next() {
		var call int64
		var tool, code, label string
		if err := found.Scan(&call, &tool, &code, &label); err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Join([]string{strconv.FormatInt(call, 10), tool, code, label}, " "))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheCallPath(t *testing.T) {
	deliver, publish := asks(t, "deliver", secret), asks(t, "publish", secret)
	for _, c := range []struct {
		name    string
		change  func(*Config)
		call    frame.Call
		want    bridge.Reply
		vault   int // calls that reached each tool
		public  int
		rows    []string
		tallies map[string]Tally
	}{
		{name: "the permitted tool gets it",
			call: deliver, want: bridge.Reply{Text: "stored"}, vault: 1,
			rows:    []string{"1 vault_store permit confidential", "1 vault_store response-released confidential"},
			tallies: map[string]Tally{"vault_store": {Allowed: 1}}},
		{name: "the public tool never gets it",
			call: publish, want: bridge.Reply{Code: "denied-ceiling"},
			rows:    []string{"1 public_post deny-ceiling confidential"},
			tallies: map[string]Tally{"public_post": {Denied: 1}}},
		{name: "a raised ceiling lets it out",
			change: func(c *Config) { c.Ceilings["public"] = "confidential" },
			call:   publish, want: bridge.Reply{Text: "stored"}, public: 1,
			rows:    []string{"1 public_post permit confidential", "1 public_post response-released confidential"},
			tallies: map[string]Tally{"public_post": {Allowed: 1}}},
		{name: "public data may go to the public tool",
			change: func(c *Config) { c.Initial = "public" },
			call:   publish, want: bridge.Reply{Text: "stored"}, public: 1,
			rows:    []string{"1 public_post permit public", "1 public_post response-released public"},
			tallies: map[string]Tally{"public_post": {Allowed: 1}}},
		{name: "a sink without a ceiling takes nothing",
			change: func(c *Config) { delete(c.Ceilings, "vault") },
			call:   deliver, want: bridge.Reply{Code: "denied-ceiling"},
			rows:    []string{"1 vault_store deny-ceiling confidential"},
			tallies: map[string]Tally{"vault_store": {Denied: 1}}},
		{name: "a tool that policies do not approve",
			change: func(c *Config) { c.Catalogue[0].Groups = nil },
			call:   deliver, want: bridge.Reply{Code: "denied-policy"},
			rows:    []string{"1 vault_store deny-default confidential"},
			tallies: map[string]Tally{"vault_store": {Denied: 1}}},
		{name: "a retired tool",
			change: func(c *Config) { c.Catalogue[0].Groups = []string{"approved", "retired"} },
			call:   deliver, want: bridge.Reply{Code: "denied-policy"},
			rows:    []string{"1 vault_store deny-policy confidential"},
			tallies: map[string]Tally{"vault_store": {Denied: 1}}},
		{name: "a policy that fails",
			change: func(c *Config) {
				c.Policy.Policies = append(c.Policy.Policies, `@id("f") forbid (principal, action, resource) when { 9223372036854775807 + context.sensitivity < 0 };`...)
			},
			call: deliver, want: bridge.Reply{Code: "denied-policy"},
			rows:    []string{"1 vault_store deny-error confidential"},
			tallies: map[string]Tally{"vault_store": {Denied: 1}}},
		{name: "an operation that is no alias",
			call: asks(t, "erase", secret), want: bridge.Reply{Code: "unknown-operation"},
			rows: []string{"1  unknown-operation confidential"}},
		{name: "a catalogue name is no operation",
			call: asks(t, "vault_store", secret), want: bridge.Reply{Code: "unknown-operation"},
			rows: []string{"1  unknown-operation confidential"}},
		{name: "another argument",
			call: frame.Call{Operation: "deliver", Arguments: jsontext.Value(`{"body":"` + secret + `"}`)},
			want: bridge.Reply{Code: "bad-arguments"},
			rows: []string{"1 vault_store bad-arguments confidential"}, tallies: map[string]Tally{"vault_store": {Denied: 1}}},
		{name: "one argument more",
			call: frame.Call{Operation: "deliver", Arguments: jsontext.Value(`{"text":"` + secret + `","to":"x"}`)},
			want: bridge.Reply{Code: "bad-arguments"},
			rows: []string{"1 vault_store bad-arguments confidential"}, tallies: map[string]Tally{"vault_store": {Denied: 1}}},
		{name: "too long an argument",
			call: asks(t, "deliver", strings.Repeat(secret, 4000)), want: bridge.Reply{Code: "bad-arguments"},
			rows: []string{"1 vault_store bad-arguments confidential"}, tallies: map[string]Tally{"vault_store": {Denied: 1}}},
		{name: "an answer above the agent's ceiling is withheld",
			change: func(c *Config) { c.Catalogue[0].Response, c.Ceilings[AgentSink] = "restricted", "confidential" },
			call:   deliver, want: bridge.Reply{Code: "denied-response"}, vault: 1,
			rows:    []string{"1 vault_store permit confidential", "1 vault_store response-denied restricted"},
			tallies: map[string]Tally{"vault_store": {Allowed: 1}}},
		{name: "without a ceiling the agent gets no answer",
			change: func(c *Config) { delete(c.Ceilings, AgentSink) },
			call:   deliver, want: bridge.Reply{Code: "denied-response"}, vault: 1,
			rows:    []string{"1 vault_store permit confidential", "1 vault_store response-denied confidential"},
			tallies: map[string]Tally{"vault_store": {Allowed: 1}}},
		{name: "the tool server dies with the call in its hands",
			change: func(c *Config) { c.Upstream.Env = append(c.Upstream.Env, "POSTERN_MODE=die") },
			call:   deliver, want: bridge.Reply{Code: "upstream-failed", Fatal: bridge.UpstreamFailed}, vault: 1,
			rows:    []string{"1 vault_store permit confidential", "1 vault_store upstream-failed confidential"},
			tallies: map[string]Tally{"vault_store": {Allowed: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sink := newSink(t)
			subject := config(t, sink)
			if c.change != nil {
				c.change(&subject)
			}
			g := opened(t, subject)
			if got := g.Handle(t.Context(), c.call); got != c.want {
				t.Errorf("code %q, fatal %q, %d bytes of text", got.Code, got.Fatal, len(got.Text))
			}
			for tool, want := range map[string]int{"vault_store": c.vault, "public_post": c.public} {
				if calls, texts := sink.heard(tool, secret); calls != want || texts != want {
					t.Errorf("%s received %d calls, %d with the text; want %d", tool, calls, texts, want)
				}
			}
			if c.tallies == nil {
				c.tallies = map[string]Tally{}
			}
			if diff := cmp.Diff(c.tallies, g.Decisions()); diff != "" {
				t.Error(diff)
			}
			if err := g.Close(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(c.rows, rows(t, subject.Audit)); diff != "" {
				t.Error(diff)
			}
			if report, err := audit.Verify(t.Context(), subject.Audit, g.Head()); err != nil || report.Unfinished != 0 || report.Head != g.Head() {
				t.Errorf("%+v, %v", report, err)
			}
		})
	}
}

// What an answer brings into the session counts for every later call.
func TestAnAnswerRaisesTheSession(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	subject.Initial = "public" // the vault answers at "internal"
	g := opened(t, subject)
	for i, want := range []struct{ operation, code string }{{"publish", ""}, {"deliver", ""}, {"publish", "denied-ceiling"}} {
		if got := g.Handle(t.Context(), asks(t, want.operation, secret)); got.Code != want.code {
			t.Errorf("call %d: code %q", i+1, got.Code)
		}
	}
	if calls, _ := sink.heard("public_post", secret); calls != 1 {
		t.Errorf("the public tool received %d calls", calls)
	}
}

func TestASecondSessionContinuesTheAuditChain(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	for range 2 {
		g := opened(t, subject)
		g.Handle(t.Context(), asks(t, "publish", secret))
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := audit.Verify(t.Context(), subject.Audit); got.Rows != 4 || got.Sessions != 2 || got.Unfinished != 0 || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTheAuditLogHoldsNoPlaintext(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	g := opened(t, subject)
	calls := []frame.Call{
		asks(t, "deliver", secret), asks(t, "publish", secret), asks(t, secret, secret),
		{Operation: "deliver", Arguments: jsontext.Value(`{"` + secret + `":"` + secret + `"}`)},
	}
	for _, call := range calls {
		g.Handle(t.Context(), call)
	}
	look := func(when string) {
		files, err := filepath.Glob(subject.Audit + "*")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no audit files, %v", when, err)
		}
		named := false
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s: plaintext in %s", when, filepath.Ext(file))
			}
			named = named || bytes.Contains(content, []byte("vault_store"))
		}
		if !named {
			t.Errorf("%s: the look is blind: not even the tool's name was found", when)
		}
	}
	look("while open")
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	look("after close")
}

func TestNothingIsReleasedWithoutItsRow(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	g := opened(t, subject)
	locked(t, subject.Audit)
	want := bridge.Reply{Code: "gateway-unavailable", Fatal: bridge.GatewayUnavailable}
	for _, operation := range []string{"deliver", "publish", "erase"} {
		if got := g.Handle(t.Context(), asks(t, operation, secret)); got != want {
			t.Errorf("%s: code %q, fatal %q, %d bytes of text", operation, got.Code, got.Fatal, len(got.Text))
		}
	}
	if calls, _ := sink.heard("vault_store", secret); calls != 0 || len(g.Decisions()) != 0 {
		t.Errorf("%d calls reached the tool, %d tools have decisions", calls, len(g.Decisions()))
	}
}

// The answer too needs its row: the lock comes while the tool has the call.
func TestNoAnswerIsReleasedWithoutItsRow(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	g := opened(t, subject)
	sink.hold = func() { locked(t, subject.Audit) }
	got := g.Handle(t.Context(), asks(t, "deliver", secret))
	if got != (bridge.Reply{Code: "gateway-unavailable", Fatal: bridge.GatewayUnavailable}) {
		t.Errorf("code %q, fatal %q, %d bytes of text", got.Code, got.Fatal, len(got.Text))
	}
	if calls, _ := sink.heard("vault_store", secret); calls != 1 {
		t.Errorf("%d calls reached the tool: the case proves nothing", calls)
	}
}

// locked takes the write lock of an audit log until the test ends.
func locked(t testing.TB, path string) {
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate")
	if err != nil {
		t.Error(err)
		return
	}
	tx, err := db.Begin()
	if err != nil {
		t.Error(err)
		return
	}
	t.Cleanup(func() {
		tx.Rollback()
		db.Close()
	})
}

func TestAGatewayKeepsItsOwnConfig(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	g := opened(t, subject)
	subject.Ceilings["public"], subject.Aliases["erase"] = "restricted", "vault_store"
	if got := g.Handle(t.Context(), asks(t, "publish", secret)); got.Code != "denied-ceiling" {
		t.Errorf("code %q", got.Code)
	}
	if got := g.Handle(t.Context(), asks(t, "erase", secret)); got.Code != "unknown-operation" {
		t.Errorf("code %q", got.Code)
	}
}

func TestAfterCloseNothingIsServed(t *testing.T) {
	sink := newSink(t)
	g := opened(t, config(t, sink))
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	got := g.Handle(t.Context(), asks(t, "deliver", secret))
	if got != (bridge.Reply{Code: "gateway-unavailable", Fatal: bridge.GatewayUnavailable}) {
		t.Errorf("code %q, fatal %q", got.Code, got.Fatal)
	}
	if _, open := g.begin(); open {
		t.Error("a call has begun that Close could not wait for")
	}
	if calls, _ := sink.heard("vault_store", secret); calls != 0 {
		t.Errorf("%d calls reached the tool", calls)
	}
	if err := g.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

// A call that is cancelled with the tool at work fails, and is on record.
func TestACancelledCallIsOnRecord(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	g := opened(t, subject)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	sink.hold = func() { cancel(); <-ended }
	got := g.Handle(ctx, asks(t, "deliver", secret))
	close(ended)
	if got.Code != "upstream-failed" || got.Fatal != bridge.UpstreamFailed {
		t.Errorf("code %q, fatal %q", got.Code, got.Fatal)
	}
	want := []string{"1 vault_store permit confidential", "1 vault_store upstream-failed confidential"}
	if diff := cmp.Diff(want, rows(t, subject.Audit)); diff != "" {
		t.Error(diff)
	}
}

func TestConcurrentCallsAreAllDecidedAndRecorded(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	g := opened(t, subject)
	const each = 20
	var wg sync.WaitGroup
	for range each {
		for operation, code := range map[string]string{"deliver": "", "publish": "denied-ceiling"} {
			call := asks(t, operation, secret)
			wg.Go(func() {
				if got := g.Handle(context.Background(), call); got.Code != code {
					t.Errorf("%s: code %q", operation, got.Code)
				}
			})
		}
	}
	wg.Wait()
	want := map[string]Tally{"vault_store": {Allowed: each}, "public_post": {Denied: each}}
	if diff := cmp.Diff(want, g.Decisions()); diff != "" {
		t.Error(diff)
	}
	if calls, _ := sink.heard("vault_store", secret); calls != each {
		t.Errorf("the vault received %d calls", calls)
	}
	if got, err := audit.Verify(t.Context(), subject.Audit); got.Rows != 3*each || err != nil {
		t.Errorf("%d rows, %v", got.Rows, err)
	}
}

// Calls that Close finds under way end before it returns.
func TestCloseEndsCallsUnderWay(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	g := opened(t, subject)
	reached, ended := make(chan struct{}), make(chan struct{})
	sink.hold = func() { close(reached); <-ended }
	defer close(ended)
	reply := make(chan bridge.Reply, 1)
	go func() { reply <- g.Handle(context.Background(), asks(t, "deliver", secret)) }()
	<-reached
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if got := <-reply; got.Fatal == "" {
		t.Errorf("code %q", got.Code)
	}
	if got, err := audit.Verify(t.Context(), subject.Audit); got.Rows != 3 || got.Unfinished != 0 || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
