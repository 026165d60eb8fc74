package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Report is what the rows that hold come to.
type Report struct {
	Rows       int64
	Sessions   int
	Unfinished int   // sessions without a last row: killed, still running, or cut off here
	ClockSteps int   // rows at which the clock had been set since the row before
	FirstStep  int64 // the first of them, from 1
	Head       Head
}

// Broken names the first row that does not fit.
type Broken struct {
	Row    int64 // its place, from 1; 0 where it is the file that does not fit
	Reason Reason
}

func (b *Broken) Error() string {
	if b.Row == 0 {
		return "the audit log: " + string(b.Reason)
	}
	return fmt.Sprintf("audit row %d: %s", b.Row, string(b.Reason))
}

// Verify walks the whole chain. Where a row does not fit the error is a
// *Broken, and the report is about the rows before it. The chain must also go
// through each anchor. Without one, rows that are missing at the end show only
// as an unfinished session, and as nothing where whole sessions are missing.
func Verify(ctx context.Context, path string, anchors ...Head) (Report, error) {
	db, err := openToRead(ctx, path)
	if err != nil {
		return Report{}, fmt.Errorf("verifying audit log: %w", err)
	}
	defer db.Close()
	return verify(ctx, db, anchors)
}

// openToRead opens a file and checks that it is an audit log.
func openToRead(ctx context.Context, path string) (*sql.DB, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	query := url.Values{"mode": {"ro"}}
	if still(path) {
		query.Set("immutable", "1")
	}
	db, err := sql.Open("sqlite", source(path, query, "FULL"))
	if err != nil {
		return nil, err
	}
	if err := checkFormat(ctx, db); err != nil {
		return nil, errors.Join(damage(err, 0), db.Close())
	}
	return db, nil
}

// still reports whether nobody has a log open and everything is in its one
// file: it is then read without a trace, also from a medium that takes none.
func still(path string) bool {
	_, err := os.Stat(path + "-wal")
	return errors.Is(err, os.ErrNotExist)
}

func verify(ctx context.Context, db *sql.DB, anchors []Head) (Report, error) {
	c := newChain(anchors)
	err := walk(ctx, db, c)
	var broken *Broken
	if errors.As(err, &broken) && broken.Reason == Unchained {
		broken.Reason, err = misplaced(ctx, db, c.offender)
		if err == nil {
			err = broken
		}
	}
	if err == nil {
		err = c.end()
	}
	if err != nil && !errors.As(err, &broken) {
		err = fmt.Errorf("verifying audit log: %w", err)
	}
	return c.result(), err
}

func walk(ctx context.Context, db *sql.DB, c *chain) error {
	rows, err := db.QueryContext(ctx, columns+` ORDER BY sequence`)
	if err != nil {
		return damage(err, 1)
	}
	defer rows.Close()
	for rows.Next() {
		r, hash, err := read(rows)
		if err != nil {
			return &Broken{Row: c.report.Rows + 1, Reason: Unreadable}
		}
		if err := c.follow(r, hash); err != nil {
			return err
		}
	}
	return damage(rows.Err(), c.report.Rows+1)
}

// damage tells a file that SQLite finds damaged from one that it cannot read.
func damage(err error, row int64) error {
	var failure *sqlite.Error
	if errors.As(err, &failure) {
		switch failure.Code() & 0xff { // without what kind of it
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return &Broken{Row: row, Reason: Unreadable}
		}
	}
	return err
}

func read(scanner interface{ Scan(...any) error }) (row, Hash, error) {
	var r row
	var previous, hash []byte
	if err := scanner.Scan(&r.sequence, &r.time, &r.elapsed, &r.session, &r.call, &r.tool, &r.code,
		&r.policy, &r.revision, &r.label, &r.commitment, &previous, &hash); err != nil {
		return row{}, Hash{}, err
	}
	if len(previous) != len(Hash{}) || len(hash) != len(Hash{}) {
		return row{}, Hash{}, errors.New("a hash has another length")
	}
	r.previous = Hash(previous)
	return r, Hash(hash), nil
}

// last finds the end of the chain and checks that row alone.
func last(ctx context.Context, db *sql.DB) (Head, error) {
	r, hash, err := read(db.QueryRowContext(ctx, columns+` ORDER BY sequence DESC LIMIT 1`))
	if errors.Is(err, sql.ErrNoRows) {
		return Head{}, nil
	}
	if err != nil {
		return Head{}, err
	}
	if r.hash() != hash {
		return Head{}, &Broken{Row: r.sequence, Reason: Edited}
	}
	return Head{Rows: r.sequence, Hash: hash}, nil
}

// misplaced says more of a row that does not name the hash before it: whether
// the row that it does name stands elsewhere.
func misplaced(ctx context.Context, db *sql.DB, r row) (Reason, error) {
	if r.previous == (Hash{}) {
		return SecondHead, nil
	}
	var at int64
	err := db.QueryRowContext(ctx, `SELECT sequence FROM audit WHERE hash = ? ORDER BY sequence LIMIT 1`, r.previous[:]).Scan(&at)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Unchained, nil
	case err != nil:
		return Unchained, damage(err, r.sequence)
	case at < r.sequence:
		return SecondHead, nil
	}
	return Reordered, nil
}
