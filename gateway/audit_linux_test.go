package gateway

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/gateway/audit"
	"postern/gateway/gate"
)

// A row commits to what it is about: with the session's key an auditor can tell
// which call was made, and what was answered.
func TestRowsCommitToWhatWasSaid(t *testing.T) {
	subject := config(t, newSink(t))
	subject.AuditKeys = t.TempDir()
	g := opened(t, subject)
	calls := []string{"deliver", "publish", "erase"}
	for _, operation := range calls {
		g.Handle(t.Context(), asks(t, operation, secret))
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(subject.AuditKeys + "/*")
	if err != nil || len(files) != 1 {
		t.Fatalf("%d key files, %v", len(files), err)
	}
	key, err := audit.ReadKey(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, payloads := range [][]audit.Payload{{said(t, "deliver", secret)}, {audit.Answer("stored")}, {said(t, "publish", secret)}, {said(t, "erase", secret)}, {said(t, "deliver", secret+"."), audit.Answer(secret)}} {
		want := []int64{int64(i + 1)}
		if i == 4 {
			want = nil
		}
		got, err := key.Open(t.Context(), subject.Audit, payloads...)
		if err != nil || got.Of != 4 || !cmp.Equal(got.Rows, want) {
			t.Errorf("payload %d opens rows %v of %d, %v; want %v", i, got.Rows, got.Of, err, want)
		}
	}
}

func said(t testing.TB, operation, text string) audit.Payload {
	call := asks(t, operation, text)
	return audit.Call(call.Operation, call.Arguments)
}

// Where no directory is named for it, the key is nowhere.
func TestAKeyThatNobodyAskedForIsNotKept(t *testing.T) {
	subject := config(t, newSink(t))
	g := opened(t, subject)
	g.Handle(t.Context(), asks(t, "deliver", secret))
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(subject.Audit))
	if err != nil || len(entries) != 1 {
		t.Errorf("%d files beside the log, %v", len(entries), err)
	}
}

// Sessions that share a log make one chain, each with its own last row.
func TestSessionsShareALog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log, err := audit.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var sessions sync.WaitGroup
	for range 3 {
		subject := config(t, newSink(t))
		subject.Audit = ""
		g, err := OpenIn(t.Context(), subject, log)
		if err != nil {
			t.Fatal(err)
		}
		sessions.Go(func() {
			for range 5 {
				if r := g.Handle(context.Background(), asks(t, "deliver", secret)); r.Code != "" {
					t.Errorf("code %q", r.Code)
				}
			}
			if err := g.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	sessions.Wait()
	if report, err := log.Verify(t.Context()); err != nil || report.Rows != 33 || report.Sessions != 3 || report.Unfinished != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
	if _, err := audit.Verify(t.Context(), path, log.Head()); err != nil {
		t.Error(err)
	}
}

// A session without a disk has the same rows.
func TestASessionInMemory(t *testing.T) {
	log, err := audit.OpenMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	g, err := OpenIn(t.Context(), config(t, newSink(t)), log)
	if err != nil {
		t.Fatal(err)
	}
	g.Handle(t.Context(), asks(t, "deliver", secret))
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if report, err := log.Verify(t.Context(), g.Head()); err != nil || report.Rows != 3 {
		t.Errorf("%+v, %v", report, err)
	}
}

// A row says under which revision of the operator's overlay it was decided.
func TestRowsNameTheRevision(t *testing.T) {
	subject := config(t, newSink(t))
	g := opened(t, subject)
	g.Handle(t.Context(), asks(t, "publish", secret))
	if err := g.Update(t.Context(), gate.Update{Revision: 5, Revoked: []string{"vault_store"}}); err != nil {
		t.Fatal(err)
	}
	for _, operation := range []string{"deliver", "publish"} {
		g.Handle(t.Context(), asks(t, operation, secret))
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	want := "deny-ceiling 0, revoked 5, deny-ceiling 5, session-closed 0"
	if got := revisions(t, subject.Audit); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A call that waited behind updates was decided under what the last of them said.
func TestACallThatWaitedNamesTheRevisionThatLetItIn(t *testing.T) {
	sink := newSink(t)
	subject := config(t, sink)
	g := opened(t, subject)
	inside, release := make(chan struct{}), make(chan struct{})
	sink.hold = func() { close(inside); <-release }
	var all sync.WaitGroup
	all.Go(func() { g.Handle(context.Background(), asks(t, "deliver", secret)) })
	<-inside
	for queued, revision := range []uint64{5, 6} {
		all.Go(func() {
			if err := g.Update(context.Background(), gate.Update{Revision: revision}); err != nil {
				t.Error(err)
			}
		})
		for o := g.Overlay(); !o.Updating || o.Queued < queued; o = g.Overlay() {
			runtime.Gosched()
		}
	}
	all.Go(func() { g.Handle(context.Background(), asks(t, "publish", secret)) })
	for g.Overlay().Queued < 2 {
		runtime.Gosched()
	}
	close(release)
	all.Wait()
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	want := "permit 0, response-released 0, deny-ceiling 6, session-closed 0"
	if got := revisions(t, subject.Audit); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// revisions reads an audit log as "code revision".
func revisions(t *testing.T, path string) (all string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(`SELECT group_concat(code || ' ' || revision, ', ' ORDER BY sequence) FROM audit`).Scan(&all); err != nil {
		t.Fatal(err)
	}
	return all
}
