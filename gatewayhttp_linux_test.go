package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	helloMessage = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"` + marker + `","version":"1"}}}`
	readyMessage = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func callMessage(id int, tool, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"text":%q}}}`, id, tool, text)
}

// ask sends one request as no client would, where change says how.
func ask(t *testing.T, url, session, body string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	answer, text, err := try(t, url, session, body, change)
	if err != nil {
		t.Fatal(err)
	}
	return answer, text
}

// try is ask for other goroutines than the test's.
func try(t *testing.T, url, session, body string, change func(*http.Request)) (*http.Response, string, error) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	return answer, string(text), err
}

// begin opens a session and returns its id.
func begin(t *testing.T, url string, change func(*http.Request)) string {
	t.Helper()
	answer, text := ask(t, url, "", helloMessage, change)
	id := answer.Header.Get("Mcp-Session-Id")
	if answer.StatusCode != http.StatusOK || id == "" {
		t.Fatalf("no session: %d %s", answer.StatusCode, text)
	}
	if answer, _ := ask(t, url, id, readyMessage, change); answer.StatusCode != http.StatusAccepted {
		t.Fatalf("no session: %d", answer.StatusCode)
	}
	return id
}

// said is what a tool call answered.
func said(t *testing.T, text string) (answer string, failed bool) {
	t.Helper()
	var m struct {
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil || len(m.Result.Content) != 1 {
		t.Errorf("no answer of a tool: %s", text)
		return "", false
	}
	return m.Result.Content[0].Text, m.Result.IsError
}

func TestGatewayLetsNobodyElseIn(t *testing.T) {
	lab := newGatewayLab(t).http()
	token := strings.Repeat("5eed", 16)
	lab.TokenFile, lab.Hosts, lab.Origins = "token", []string{"gateway.example"}, []string{"https://page.example"}
	write(t, filepath.Join(lab.dir, "token"), []byte(token+"\n"))
	p := lab.serve(t)
	bearer := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	with := func(more func(*http.Request)) func(*http.Request) {
		return func(r *http.Request) { bearer(r); more(r) }
	}
	session := begin(t, p.url, bearer)
	port := p.url[strings.LastIndex(p.url, ":")+1 : len(p.url)-len("/mcp")]
	deliver := callMessage(7, "deliver", marker)
	calls := 0
	for _, c := range []struct {
		name    string
		body    string
		change  func(*http.Request)
		status  int
		answers string // what the whole answer is, but for blanks at its ends
	}{
		{"itself", deliver, bearer, 200, ""},
		{"by the machine's name", deliver, with(func(r *http.Request) { r.Host = "LocalHost:" + port }), 200, ""},
		{"by a name that is listed", deliver, with(func(r *http.Request) { r.Host = "gateway.example" }), 200, ""},
		{"a page that is listed", deliver, with(func(r *http.Request) { r.Header.Set("Origin", "https://page.example") }), 200, ""},
		{"a host that resolves here", deliver, with(func(r *http.Request) { r.Host = marker + ".example:" + port }), 403, "Forbidden"},
		{"another port", deliver, with(func(r *http.Request) { r.Host = "127.0.0.1:1" }), 403, "Forbidden"},
		{"no port", deliver, with(func(r *http.Request) { r.Host = "127.0.0.1" }), 403, "Forbidden"},
		{"a page", deliver, with(func(r *http.Request) { r.Header.Set("Origin", "https://"+marker+".example") }), 403, "Forbidden"},
		{"a page of this machine", deliver, with(func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:"+port) }), 403, "Forbidden"},
		{"a page without an origin", deliver, with(func(r *http.Request) { r.Header.Set("Origin", "null") }), 403, "Forbidden"},
		{"two origins", deliver, with(func(r *http.Request) { r.Header["Origin"] = []string{"https://page.example", "null"} }), 403, "Forbidden"},
		{"no token", deliver, nil, 401, "Unauthorized"},
		{"another token", deliver, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token[:63]+"e") }, 401, "Unauthorized"},
		{"a part of the token", deliver, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token[:63]) }, 401, "Unauthorized"},
		{"a longer token", deliver, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token+"5") }, 401, "Unauthorized"},
		{"an empty token", deliver, func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401, "Unauthorized"},
		{"another scheme", deliver, func(r *http.Request) { r.Header.Set("Authorization", "Basic "+token) }, 401, "Unauthorized"},
		{"the token twice", deliver, func(r *http.Request) { r.Header["Authorization"] = []string{"Bearer " + token, "Bearer " + token} }, 401, "Unauthorized"},
		{"another path", deliver, with(func(r *http.Request) { r.URL.Path = "/" + marker }), 404, "Not Found"},
		{"a path of several spellings", deliver, with(func(r *http.Request) { r.URL.Path = "//mcp" }), 404, "Not Found"},
		{"a stream", "", with(func(r *http.Request) { r.Method = http.MethodGet }), 405, "Method Not Allowed"},
		{"another session", deliver, with(func(r *http.Request) { r.Header.Set("Mcp-Session-Id", marker) }), 404, "Not Found"},
		{"a call without a session", deliver, with(func(r *http.Request) { r.Header.Del("Mcp-Session-Id") }), 400, "Bad Request"},
		{"another type", deliver, with(func(r *http.Request) { r.Header.Set("Content-Type", marker) }), 415, "Unsupported Media Type"},
		{"another version", deliver, with(func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", marker) }), 400, "Bad Request"},
		{"a body that is too large", callMessage(7, "deliver", strings.Repeat(marker, 20_000)), bearer, 413, "Request Entity Too Large"},
		{"a body of unknown length that is too large", "", with(func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(callMessage(7, "deliver", strings.Repeat(marker, 20_000)))), -1
		}), 413, "Request Entity Too Large"},
		{"no body", "", bearer, 400, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"frame-refused: not-json"}}`},
		{"two calls", "[" + deliver + "," + deliver + "]", bearer, 400, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"frame-refused: batch"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, text := ask(t, p.url, session, c.body, c.change)
			if answer.StatusCode != c.status {
				t.Errorf("status %d, want %d", answer.StatusCode, c.status)
			}
			if c.status == 200 {
				calls++
				if got, failed := said(t, text); got != marker || failed {
					t.Errorf("answers %q", got)
				}
				return
			}
			if got := strings.TrimSpace(text); got != c.answers {
				t.Errorf("answers %q, want %q", got, c.answers)
			}
			for name, values := range answer.Header {
				if strings.Contains(strings.Join(values, " "), marker) {
					t.Errorf("%s says what was sent", name)
				}
			}
		})
	}
	p.stop(t, syscall.SIGTERM)
	if got := lab.sink.heard("vault_store"); got != calls || calls != 4 {
		t.Errorf("the vault received %d calls of %d", got, calls)
	}
	lab.audited(t, 1)
}

// The same ids in every session, at the same time: each gets its own answers.
func TestGatewaySessionsWithTheSameIdsNeverCross(t *testing.T) {
	lab := newGatewayLab(t).http()
	const sessions, calls = 8, 25
	p := lab.serve(t)
	var wg sync.WaitGroup
	for s := range sessions {
		session := begin(t, p.url, nil)
		for id := range calls {
			wg.Go(func() {
				text := fmt.Sprintf("%s of %d in %d", marker, id, s)
				_, answer, err := try(t, p.url, session, callMessage(id, "deliver", text), nil)
				if got, failed := said(t, answer); got != text || failed || err != nil {
					t.Errorf("call %d of session %d was answered with %q", id, s, got)
				}
				if !strings.Contains(answer, fmt.Sprintf(`"id":%d`, id)) {
					t.Errorf("call %d of session %d was answered as another", id, s)
				}
			})
		}
	}
	wg.Wait()
	p.stop(t, syscall.SIGTERM)
	if got := lab.sink.heard("vault_store"); got != sessions*calls {
		t.Errorf("the vault received %d calls", got)
	}
	if got := lab.audited(t, 1); got.Rows != 2*sessions*calls+1 {
		t.Errorf("%d rows", got.Rows)
	}
}

func TestGatewayHasRoomForSoManySessions(t *testing.T) {
	lab := newGatewayLab(t).http()
	lab.Limits.Sessions = 2
	p := lab.serve(t)
	first := begin(t, p.url, nil)
	begin(t, p.url, nil)
	if answer, text := ask(t, p.url, "", helloMessage, nil); answer.StatusCode != 503 || strings.TrimSpace(text) != "Service Unavailable" {
		t.Errorf("a third session: %d %q", answer.StatusCode, text)
	}
	answer, _ := ask(t, p.url, first, "", func(r *http.Request) { r.Method = http.MethodDelete })
	if answer.StatusCode != http.StatusNoContent {
		t.Errorf("a session cannot be ended: %d", answer.StatusCode)
	}
	if answer, _ := ask(t, p.url, first, callMessage(1, "deliver", marker), nil); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a session that was ended is served: %d", answer.StatusCode)
	}
	eventually(t, "the place of a session that ended", func() bool {
		answer, _ := ask(t, p.url, "", helloMessage, nil)
		return answer.StatusCode == http.StatusOK
	})
}

func TestGatewayEndsSessionsThatAskNothing(t *testing.T) {
	lab := newGatewayLab(t).http()
	lab.Limits.Sessions, lab.Limits.Idle = 1, 100*time.Millisecond
	p := lab.serve(t)
	begin(t, p.url, nil)
	eventually(t, "the end of an idle session", func() bool {
		answer, _ := ask(t, p.url, "", helloMessage, nil)
		return answer.StatusCode == http.StatusOK
	})
}

// All sessions are one agent: who comes back still holds what it was told.
func TestGatewayKeepsTheLabelWhenAClientReconnects(t *testing.T) {
	lab := newGatewayLab(t).http()
	lab.Initial = "public" // the vault answers at "internal"
	p := lab.serve(t)
	one := begin(t, p.url, nil)
	for _, c := range []struct {
		tool, answer string
		reconnect    bool
	}{
		{tool: "publish", answer: marker}, {tool: "deliver", answer: marker}, {tool: "publish", answer: "denied-ceiling"},
		{tool: "publish", answer: "denied-ceiling", reconnect: true},
	} {
		if c.reconnect {
			ask(t, p.url, one, "", func(r *http.Request) { r.Method = http.MethodDelete })
			one = begin(t, p.url, nil)
		}
		_, text := ask(t, p.url, one, callMessage(3, c.tool, marker), nil)
		if got, _ := said(t, text); got != c.answer {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got := lab.sink.heard("public_post"); got != 1 {
		t.Errorf("the public tool received %d calls", got)
	}
}

// What a tool answered is released by the agent's ceiling, or not at all.
func TestGatewayWithholdsAnAnswerAboveTheCeiling(t *testing.T) {
	lab := newGatewayLab(t).http()
	lab.Ceilings["agent"] = "internal"
	p := lab.serve(t)
	_, text := ask(t, p.url, begin(t, p.url, nil), callMessage(1, "deliver", marker), nil)
	if got, failed := said(t, text); got != "denied-response" || !failed || strings.Contains(text, marker) {
		t.Errorf("answers %q", got)
	}
	if got := lab.sink.heard("vault_store"); got != 1 {
		t.Errorf("the vault received %d calls: the case proves nothing", got)
	}
	p.stop(t, syscall.SIGTERM)
	lab.audited(t, 1)
}
