package audit

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func open(t testing.TB, path string) *Log {
	t.Helper()
	log, err := Open(t.Context(), path)
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

func sample(call int64) Entry {
	return Entry{Session: "s1", Call: call, Tool: "store", Code: "permit", Policy: "p1", Label: "internal"}
}

// written makes a closed log of a few rows and returns where its chain ends.
func written(t testing.TB, rows int64) (string, Head) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	for call := range rows {
		if err := log.Append(t.Context(), sample(call+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return path, log.Head()
}

func execute(t testing.TB, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", source(path, "rw"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	result, err := db.Exec(statement)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("the statement changed %d rows, %v", n, err)
	}
}

func TestAnHonestChainHolds(t *testing.T) {
	for _, rows := range []int64{0, 1, 5} {
		path, head := written(t, rows)
		if got, err := Verify(t.Context(), path); err != nil || got != int(rows) || head.Rows != rows {
			t.Errorf("%d rows: verified %d, head %d, %v", rows, got, head.Rows, err)
		}
		if err := VerifyHead(t.Context(), path, head); err != nil {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

func TestARowIsReadableByOthersWhenAppendReturns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	for call := range int64(3) {
		if err := log.Append(t.Context(), sample(call+1)); err != nil {
			t.Fatal(err)
		}
		if got, err := Verify(t.Context(), path); err != nil || got != int(call+1) {
			t.Errorf("after %d appends: %d rows, %v", call+1, got, err)
		}
	}
}

func TestEveryCommitWaitsForTheDisk(t *testing.T) {
	log := open(t, filepath.Join(t.TempDir(), "audit.db"))
	var synchronous int
	var mode string
	if err := log.db.QueryRow("PRAGMA synchronous").Scan(&synchronous); err != nil {
		t.Fatal(err)
	}
	if err := log.db.QueryRow("PRAGMA journal_mode").Scan(&mode); err != nil {
		t.Fatal(err)
	}
	if synchronous != 2 || mode != "wal" { // 2 is FULL
		t.Errorf("synchronous %d, journal %q", synchronous, mode)
	}
}

func TestTamperingIsFound(t *testing.T) {
	for _, c := range []struct {
		name, statement string
		row             int64
	}{
		{"sequence of the last row", `UPDATE audit SET sequence = 9 WHERE sequence = 5`, 5},
		{"sequence moved to the front", `UPDATE audit SET sequence = 0 WHERE sequence = 3`, 1},
		{"time", `UPDATE audit SET time = time + 1 WHERE sequence = 3`, 3},
		{"session", `UPDATE audit SET session = 's2' WHERE sequence = 3`, 3},
		{"call", `UPDATE audit SET call = 7 WHERE sequence = 3`, 3},
		{"tool", `UPDATE audit SET tool = 'other' WHERE sequence = 3`, 3},
		{"code", `UPDATE audit SET code = 'deny' WHERE sequence = 3`, 3},
		{"policy", `UPDATE audit SET policy = 'p2' WHERE sequence = 3`, 3},
		{"label", `UPDATE audit SET label = 'public' WHERE sequence = 3`, 3},
		{"previous", `UPDATE audit SET previous = zeroblob(32) WHERE sequence = 3`, 3},
		{"previous of the first row", `UPDATE audit SET previous = randomblob(32) WHERE sequence = 1`, 1},
		{"hash", `UPDATE audit SET hash = zeroblob(32) WHERE sequence = 3`, 3},
		{"hash of the last row", `UPDATE audit SET hash = zeroblob(32) WHERE sequence = 5`, 5},
		{"a short hash", `UPDATE audit SET hash = x'00' WHERE sequence = 3`, 3},
		{"text moved between columns", `UPDATE audit SET tool = tool || 'p', code = substr(code, 2) WHERE sequence = 3`, 3},
		{"first row dropped", `DELETE FROM audit WHERE sequence = 1`, 1},
		{"middle row dropped", `DELETE FROM audit WHERE sequence = 3`, 3},
		{"row added", `INSERT INTO audit SELECT 6, time, session, call, tool, code, policy, label, previous, hash FROM audit WHERE sequence = 5`, 6},
		{"rows swapped", `UPDATE audit SET call = CASE sequence WHEN 2 THEN 3 ELSE 2 END WHERE sequence IN (2, 3)`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, head := written(t, 5)
			execute(t, path, c.statement)
			rows, err := Verify(t.Context(), path)
			var broken *Broken
			if !errors.As(err, &broken) || broken.Row != c.row || rows != int(c.row)-1 {
				t.Errorf("%d rows hold, %v; want row %d named", rows, err, c.row)
			}
			if err := VerifyHead(t.Context(), path, head); err == nil {
				t.Error("VerifyHead finds nothing")
			}
		})
	}
}

// A row that was altered and given a hash that fits it breaks the row behind.
func TestAHashThatWasRecomputedBreaksTheNextRow(t *testing.T) {
	path, head := written(t, 5)
	db, err := sql.Open("sqlite", source(path, "rw"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	forged, _, err := read(db.QueryRow(columns + ` WHERE sequence = 3`))
	if err != nil {
		t.Fatal(err)
	}
	forged.Code = "other"
	hash := forged.hash()
	if _, err := db.Exec(`UPDATE audit SET code = ?, hash = ? WHERE sequence = 3`, forged.Code, hash[:]); err != nil {
		t.Fatal(err)
	}
	var broken *Broken
	if rows, err := Verify(t.Context(), path); !errors.As(err, &broken) || broken.Row != 4 || rows != 3 {
		t.Errorf("%d rows hold, %v; want row 4 named", rows, err)
	}
	if err := VerifyHead(t.Context(), path, head); err == nil {
		t.Error("VerifyHead finds nothing")
	}
}

// The chain alone cannot show this; the anchor can.
func TestRowsDroppedAtTheEndTakeAnAnchor(t *testing.T) {
	path, head := written(t, 5)
	execute(t, path, `DELETE FROM audit WHERE sequence = 5`)
	if rows, err := Verify(t.Context(), path); rows != 4 || err != nil {
		t.Errorf("Verify: %d, %v", rows, err)
	}
	var broken *Broken
	if err := VerifyHead(t.Context(), path, head); !errors.As(err, &broken) || broken.Row != 5 {
		t.Errorf("VerifyHead: %v", err)
	}
}

func TestAnotherChainDoesNotPassForTheAnchored(t *testing.T) {
	_, head := written(t, 3)
	for _, rows := range []int64{3, 4} {
		other, _ := written(t, rows)
		if err := VerifyHead(t.Context(), other, head); err == nil {
			t.Errorf("a chain of %d rows passes", rows)
		}
	}
}

func TestWhatCannotBeReadIsAnError(t *testing.T) {
	dir := t.TempDir()
	noise := filepath.Join(dir, "noise")
	if err := os.WriteFile(noise, []byte("this is no database, and long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "missing"), noise, empty} {
		if _, err := Verify(t.Context(), path); err == nil {
			t.Errorf("%s verifies", filepath.Base(path))
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Error("verifying made a file")
	}
	if _, err := Open(t.Context(), noise); err == nil {
		t.Error("opened noise")
	}
}

func TestAPathIsTakenLiterally(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a?mode=memory#%20 log.db")
	log := open(t, path)
	if err := log.Append(t.Context(), sample(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestReopeningContinuesTheChain(t *testing.T) {
	path, head := written(t, 3)
	log := open(t, path)
	if log.Head() != head {
		t.Errorf("head of %d rows after reopening", log.Head().Rows)
	}
	if err := log.Append(t.Context(), sample(1)); err != nil {
		t.Fatal(err)
	}
	if rows, err := Verify(t.Context(), path); rows != 4 || err != nil {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestABrokenEndIsNotContinued(t *testing.T) {
	path, _ := written(t, 3)
	execute(t, path, `UPDATE audit SET code = 'other' WHERE sequence = 3`)
	if _, err := Open(t.Context(), path); err == nil {
		t.Error("opened")
	}
}

func TestConcurrentAppendsFormOneChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	var wg sync.WaitGroup
	for call := range int64(100) {
		wg.Go(func() {
			if err := log.Append(context.Background(), sample(call+1)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if rows, err := Verify(t.Context(), path); rows != 100 || err != nil {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestALockedFileFailsSoonAndForGood(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	if err := log.Append(t.Context(), sample(1)); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", source(path, "rw"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), sample(2)); err == nil {
		t.Error("appended under another's lock")
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), sample(3)); !errors.Is(err, ErrBroken) {
		t.Errorf("after a failure: %v", err)
	}
	if rows, err := Verify(t.Context(), path); rows != 1 || err != nil {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestASecondWriterIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	one, two := open(t, path), open(t, path)
	if err := one.Append(t.Context(), sample(1)); err != nil {
		t.Fatal(err)
	}
	if err := two.Append(t.Context(), sample(1)); err == nil {
		t.Error("both wrote row 1")
	}
	if rows, err := Verify(t.Context(), path); rows != 1 || err != nil {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestAfterCloseNothingIsTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), sample(1)); !errors.Is(err, ErrBroken) {
		t.Errorf("append: %v", err)
	}
	if err := log.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func TestACancelledCallerIsToldSo(t *testing.T) {
	log := open(t, filepath.Join(t.TempDir(), "audit.db"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 { // select picks at random: an error each time, or the row is there
		if err := log.Append(ctx, sample(1)); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if err := log.Append(t.Context(), sample(2)); err != nil {
		t.Errorf("the log is broken by a caller that gave up: %v", err)
	}
}
