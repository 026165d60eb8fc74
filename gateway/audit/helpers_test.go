package audit

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"testing"
)

func open(t testing.TB, path string) *Log {
	t.Helper()
	return opened(t)(Open(t.Context(), path))
}

func opened(t testing.TB) func(*Log, error) *Log {
	return func(log *Log, err error) *Log {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := log.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
				t.Error(err)
			}
		})
		return log
	}
}

func sample(call int64) Entry {
	return Entry{Call: call, Tool: "store", Code: "permit", Policy: "p1", Revision: 3, Label: "internal", Payload: Answer("stored")}
}

// fill adds rows of one session, and no last row of it.
func fill(t testing.TB, log *Log, session string, rows int64) *Session {
	t.Helper()
	s := log.Session(session)
	for call := range rows {
		if err := s.Append(t.Context(), sample(call+1)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// written makes a closed log of a few rows and returns where its chain ends.
func written(t testing.TB, rows int64) (string, Head) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	fill(t, log, "s1", rows)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return path, log.Head()
}

// opener opens a file for a test to do harm.
func opener(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", source(path, url.Values{"mode": {"rw"}}, "FULL"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t testing.TB, path string, statements ...string) {
	t.Helper()
	db := opener(t, path)
	defer db.Close()
	for _, statement := range statements {
		result, err := db.Exec(statement)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			t.Fatalf("the statement changed %d rows, %v", n, err)
		}
	}
}

// rowsOf reads all rows, whether they fit or not.
func rowsOf(t testing.TB, path string) (out []row) {
	t.Helper()
	db := opener(t, path)
	defer db.Close()
	found, err := db.Query(columns + ` ORDER BY sequence`)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		r, _, err := read(found)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// rewrite puts rows into a file with hashes that fit, as someone can who knows
// how they are made.
func rewrite(t testing.TB, path string, rows ...row) {
	t.Helper()
	db := opener(t, path)
	defer db.Close()
	for _, r := range rows {
		hash := r.hash()
		if _, err := db.Exec(`REPLACE`+insert[len("INSERT"):], r.sequence, r.time, r.elapsed, r.session, r.call, r.tool, r.code,
			r.policy, r.revision, r.label, r.commitment, r.previous[:], hash[:]); err != nil {
			t.Fatal(err)
		}
	}
}

// chained gives rows their places and the hashes before them.
func chained(rows ...row) []row {
	var head Head
	for i := range rows {
		rows[i].sequence, rows[i].previous = head.Rows+1, head.Hash
		if rows[i].commitment == nil {
			rows[i].commitment = []byte{}
		}
		head = Head{Rows: rows[i].sequence, Hash: rows[i].hash()}
	}
	return rows
}

// finds demands what Verify says of a file.
func finds(t *testing.T, path string, row int64, why Reason, anchors ...Head) {
	t.Helper()
	report, err := Verify(context.Background(), path, anchors...)
	var broken *Broken
	if !errors.As(err, &broken) || *broken != (Broken{row, why}) || report.Rows != max(row-1, 0) {
		t.Errorf("%d rows hold, %v; want row %d, %s", report.Rows, err, row, why)
	}
}

// holds demands that a file verifies.
func holds(t *testing.T, path string, rows int64, anchors ...Head) Report {
	t.Helper()
	report, err := Verify(context.Background(), path, anchors...)
	if err != nil || report.Rows != rows {
		t.Errorf("%d rows hold, %v; want %d", report.Rows, err, rows)
	}
	return report
}
