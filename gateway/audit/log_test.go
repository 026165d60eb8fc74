package audit

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

func TestAnHonestChainHolds(t *testing.T) {
	for _, rows := range []int64{0, 1, 5} {
		path, head := written(t, rows)
		if report := holds(t, path, rows, head); report.Head != head || head.Rows != rows {
			t.Errorf("%d rows: head of %d rows", rows, report.Head.Rows)
		}
	}
}

func TestARowIsReadableByOthersWhenAppendReturns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	s := open(t, path).Session("s1")
	for call := range int64(3) {
		if err := s.Append(t.Context(), sample(call+1)); err != nil {
			t.Fatal(err)
		}
		holds(t, path, call+1)
	}
}

func TestARowSaysWhatWasDecided(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	s := log.Session("s1")
	if err := s.Append(t.Context(), sample(7)); err != nil {
		t.Fatal(err)
	}
	if err := s.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := rowsOf(t, path)
	if len(got) != 2 {
		t.Fatalf("%d rows", len(got))
	}
	first, last := got[0], got[1]
	if first.session != "s1" || first.call != 7 || first.tool != "store" || first.code != "permit" || first.policy != "p1" || first.revision != 3 || first.label != "internal" || len(first.commitment) != 32 {
		t.Errorf("%+v", first)
	}
	if last.session != "s1" || last.code != SessionClosed || last.call != 1 || len(last.commitment) != 0 {
		t.Errorf("%+v", last)
	}
}

func TestNoDecisionPassesForTheEndOfASession(t *testing.T) {
	s := opened(t)(OpenMemory(t.Context())).Session("s1")
	if err := s.Append(t.Context(), Entry{Call: 1, Code: SessionClosed}); err == nil {
		t.Error("appended")
	}
	if err := s.Append(t.Context(), Entry{Call: 1, Code: "permit", Revision: 1 << 63}); err == nil {
		t.Error("a revision that SQLite has no number for is appended")
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

func TestALogInMemoryIsTheSameChain(t *testing.T) {
	log := opened(t)(OpenMemory(t.Context()))
	if err := fill(t, log, "s1", 4).End(t.Context()); err != nil {
		t.Fatal(err)
	}
	report, err := log.Verify(t.Context(), log.Head())
	if err != nil || report.Rows != 5 || report.Sessions != 1 || report.Unfinished != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if _, err := log.db.Exec(`UPDATE audit SET code = 'deny' WHERE sequence = 3`); err != nil {
		t.Fatal(err)
	}
	var broken *Broken
	if _, err := log.Verify(t.Context()); !errors.As(err, &broken) || *broken != (Broken{3, Edited}) {
		t.Errorf("%v", err)
	}
	other := opened(t)(OpenMemory(t.Context()))
	if other.Head() != (Head{}) {
		t.Error("two logs in memory are one")
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
	foreign := filepath.Join(dir, "foreign") // a database, and no audit log
	db, err := sql.Open("sqlite", foreign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE audit (sequence INTEGER PRIMARY KEY); CREATE TABLE other (text TEXT)`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(foreign)
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(dir, "half") // and of a damaged one nobody can say that it was
	if err := os.WriteFile(half, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "missing"), noise, empty, foreign, half, dir} {
		if _, err := Verify(t.Context(), path); !errors.Is(err, ErrNotAudit) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Error("verifying made a file")
	}
	for _, path := range []string{noise, foreign, half, dir} {
		if _, err := Open(t.Context(), path); err == nil {
			t.Errorf("opened %s", filepath.Base(path))
		}
	}
	if now, err := os.ReadFile(foreign); err != nil || !bytes.Equal(now, whole) {
		t.Errorf("another's database was written to, %v", err)
	}
}

func TestAPathIsTakenLiterally(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a?mode=memory#%20 log.db")
	fill(t, open(t, path), "s1", 1)
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
	fill(t, log, "s2", 1)
	holds(t, path, 4, head)
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
	for id := range 10 {
		s := log.Session(strconv.Itoa(id))
		wg.Go(func() {
			var calls sync.WaitGroup
			for call := range int64(10) {
				calls.Go(func() {
					if err := s.Append(context.Background(), sample(call+1)); err != nil {
						t.Error(err)
					}
				})
			}
			calls.Wait()
			if err := s.End(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	report := holds(t, path, 110, log.Head())
	if report.Sessions != 10 || report.Unfinished != 0 {
		t.Errorf("%d sessions, %d unfinished", report.Sessions, report.Unfinished)
	}
	if log.Commits() >= 110 {
		t.Errorf("%d commits for 110 rows that came in together", log.Commits())
	}
}

func TestALockedFileFailsSoonAndForGood(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	s := fill(t, log, "s1", 1)
	tx, err := opener(t, path).Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), sample(2)); err == nil {
		t.Error("appended under another's lock")
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), sample(3)); !errors.Is(err, ErrBroken) {
		t.Errorf("after a failure: %v", err)
	}
	if err := s.End(t.Context()); !errors.Is(err, ErrBroken) {
		t.Errorf("its end: %v", err)
	}
	holds(t, path, 1)
}

func TestASecondWriterIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	one, two := open(t, path), open(t, path)
	fill(t, one, "s1", 1)
	if err := two.Session("s2").Append(t.Context(), sample(1)); err == nil {
		t.Error("both wrote row 1")
	}
	holds(t, path, 1)
}

func TestAfterCloseNothingIsTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := log.Session("s1").Append(t.Context(), sample(1)); !errors.Is(err, ErrBroken) {
		t.Errorf("append: %v", err)
	}
	if err := log.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func TestACancelledCallerIsToldSo(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "audit.db")).Session("s1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 { // select picks at random: an error each time, or the row is there
		if err := s.Append(ctx, sample(1)); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if err := s.Append(t.Context(), sample(2)); err != nil {
		t.Errorf("the log is broken by a caller that gave up: %v", err)
	}
}

// Who verifies must be able to do so from a medium that takes nothing.
func TestVerifyingLeavesNoTrace(t *testing.T) {
	path, head := written(t, 3)
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, 3, head)
	after, err := os.Stat(path)
	if err != nil || after.ModTime() != before.ModTime() || after.Size() != before.Size() {
		t.Errorf("the file changed, %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}
