package observers

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// auditLog makes a database like a gateway's, and leaves it open.
func auditLog(t *testing.T, dir string) (*sql.DB, string) {
	t.Helper()
	path := filepath.Join(dir, "log.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	run(t, db, `PRAGMA journal_mode = WAL`)
	run(t, db, `CREATE TABLE audit (sequence INTEGER PRIMARY KEY, session TEXT, code TEXT, commitment BLOB, previous BLOB, hash BLOB)`)
	return db, path
}

func run(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatal(err)
	}
}

func auditRow(t *testing.T, db *sql.DB, n byte, code string, commitment []byte, previous byte) {
	t.Helper()
	hash := func(n byte) []byte {
		b := make([]byte, 32)
		b[0] = n
		return b
	}
	run(t, db, `INSERT INTO audit VALUES (?, 's1', ?, ?, ?, ?)`, n, code, commitment, hash(previous), hash(n))
}

func auditFiles(t *testing.T) (*AuditFiles, canary.Canary) {
	t.Helper()
	key := canary.NewKey()
	entry := func(id channel.ID) canary.Entry { return canary.Entry{ID: id, Canary: key.Mint("t", id)} }
	before, after, sent := entry(channel.PilotBefore), entry(channel.PilotAfter), entry("sent")
	watch, err := canary.NewWatch([]canary.Entry{before, after, sent})
	if err != nil {
		t.Fatal(err)
	}
	o, err := NewAuditFiles(t.TempDir(), watch, Pilots{Before: before.Canary, After: after.Canary})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o, sent.Canary
}

// What a log holds is heard wherever it lies: in the database, in the write-ahead
// log that is gone when the log is closed, or nowhere.
func TestAuditLogsAreReadToTheLastFile(t *testing.T) {
	for name, c := range map[string]struct {
		write func(t *testing.T, db *sql.DB, text string)
		want  int
	}{
		"nothing":         {func(*testing.T, *sql.DB, string) {}, 0},
		"in the database": {func(t *testing.T, db *sql.DB, text string) { auditRow(t, db, 1, text, nil, 0) }, 1},
		"only while open": {func(t *testing.T, db *sql.DB, text string) {
			run(t, db, `CREATE TABLE gone (text TEXT)`)
			run(t, db, `INSERT INTO gone VALUES (?)`, text)
			run(t, db, `PRAGMA secure_delete = ON`)
			run(t, db, `DELETE FROM gone`)
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			o, sent := auditFiles(t)
			pilot(t, o, channel.PilotBefore)
			db, path := auditLog(t, o.Dir())
			c.write(t, db, sent.Reveal())
			if err := o.Look(path); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			pilot(t, o, channel.PilotAfter)
			report, err := o.Collect(t.Context())
			if err != nil || !report.Hearing.Sound() || report.Hearing.PilotsHeard != 2 || (len(report.Observations) > 0) != (c.want > 0) {
				t.Errorf("%+v, %v", report, err)
			}
		})
	}
}

// Without its files an observer of audit logs is deaf, and says so.
func TestAuditLogsThatAreGoneAreNoSilence(t *testing.T) {
	o, _ := auditFiles(t)
	pilot(t, o, channel.PilotBefore)
	pilot(t, o, channel.PilotAfter)
	if err := os.Remove(filepath.Join(o.Dir(), string(channel.PilotAfter))); err != nil {
		t.Fatal(err)
	}
	if report, err := o.Collect(t.Context()); err != nil || report.Hearing.Sound() {
		t.Errorf("%+v, %v", report.Hearing, err)
	}
	if err := os.RemoveAll(o.Dir()); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Collect(t.Context()); err == nil {
		t.Error("there is no directory, and nothing was found in it")
	}
}

func TestRowsOfAnAuditLogAreCounted(t *testing.T) {
	db, path := auditLog(t, t.TempDir())
	auditRow(t, db, 1, "permit", []byte("a"), 0)
	auditRow(t, db, 2, "permit", []byte("b"), 1)
	count := func(want AuditRows) {
		t.Helper()
		got, err := ReadAudit(t.Context(), path)
		if got.sessions = nil; err != nil || got.Rows != want.Rows || got.Unlinked != want.Unlinked || got.Unended != want.Unended || got.Alike != want.Alike {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	count(AuditRows{Rows: 2, Unended: 1})
	auditRow(t, db, 3, "permit", []byte("a"), 1)
	count(AuditRows{Rows: 3, Unended: 1, Alike: 1, Unlinked: 1})
	auditRow(t, db, 4, "session-closed", nil, 3)
	count(AuditRows{Rows: 4, Alike: 1, Unlinked: 1})
	run(t, db, `DROP TABLE audit`)
	if _, err := ReadAudit(context.Background(), path); err == nil {
		t.Error("a log without rows counts as one that was read")
	}
}

// The attack opens what an unkeyed log would hold, in each way of making it, and
// nothing in one that holds noise.
func TestTheDictionaryOpensWhatNeedsNoKey(t *testing.T) {
	_, sent := auditFiles(t)
	payload := append(binary.BigEndian.AppendUint64(nil, 2), `do{"text":"`+sent.Reveal()+`"}`...)
	numbered := append(binary.BigEndian.AppendUint64([]byte("postern audit commitment 1\x01"), 1), payload...)
	bare, plain := sha256.Sum256(payload), sha256.Sum256(numbered)
	noise := sha256.Sum256([]byte("noise"))
	for _, c := range []struct {
		name       string
		commitment []byte
		want       int
	}{{"noise", noise[:], 0}, {"a hash of the payload", bare[:], 1}, {"a hash of the numbered payload", plain[:], 1}} {
		db, path := auditLog(t, t.TempDir())
		auditRow(t, db, 1, "permit", c.commitment, 0)
		rows, err := ReadAudit(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := rows.Guess(path, "do", sent); err != nil || got != c.want {
			t.Errorf("%s: %d calls open, %v; want %d", c.name, got, err, c.want)
		}
		if got, err := rows.Guess(path, "other", sent); err != nil || got != 0 {
			t.Errorf("%s: %d calls of another operation open, %v", c.name, got, err)
		}
	}
	if _, err := (AuditRows{}).Guess(filepath.Join(t.TempDir(), "missing"), "do", sent); err == nil {
		t.Error("what is not there was attacked")
	}
}
