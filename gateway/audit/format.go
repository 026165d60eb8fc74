package audit

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// The marks of an audit log in the first page of its file.
const (
	applicationID = 0x506f7374 // "Post"
	userVersion   = 2
)

const table = `CREATE TABLE audit (
	sequence   INTEGER PRIMARY KEY,
	time       INTEGER NOT NULL,
	elapsed    INTEGER NOT NULL,
	session    TEXT NOT NULL,
	call       INTEGER NOT NULL,
	tool       TEXT NOT NULL,
	code       TEXT NOT NULL,
	policy     TEXT NOT NULL,
	revision   INTEGER NOT NULL,
	label      TEXT NOT NULL,
	commitment BLOB NOT NULL,
	previous   BLOB NOT NULL,
	hash       BLOB NOT NULL
) STRICT`

const (
	names   = `sequence, time, elapsed, session, call, tool, code, policy, revision, label, commitment, previous, hash`
	insert  = `INSERT INTO audit (` + names + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	columns = `SELECT ` + names + ` FROM audit`
)

// ErrNotAudit is the error about a file that is no audit log of this version,
// or is not there.
var ErrNotAudit = errors.New("this is no audit log")

// create makes the table in a new file, all of it or nothing, and checks that
// an older one is as it was made: a trigger could take rows away again.
func create(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	var objects int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&objects); err != nil {
		return err
	}
	if objects == 0 {
		for _, statement := range []string{
			fmt.Sprintf("PRAGMA application_id = %d", applicationID),
			fmt.Sprintf("PRAGMA user_version = %d", userVersion),
			table,
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
	}
	if err := checkFormat(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// checkFormat checks what SQLite says of a database.
func checkFormat(ctx context.Context, q querier) error {
	var id, version, objects int
	var sql string
	if err := errors.Join(
		q.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&id),
		q.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version),
		q.QueryRowContext(ctx, `SELECT count(*), coalesce(max(sql), '') FROM sqlite_schema`).Scan(&objects, &sql),
	); err != nil {
		return err
	}
	if id != applicationID || version != userVersion {
		return ErrNotAudit
	}
	if objects != 1 || sql != table {
		return &Broken{Reason: OtherSchema}
	}
	return nil
}

// checkFile looks at a file's first page, without SQLite, for what tells a
// damaged audit log from another file.
func checkFile(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrNotAudit, os.ErrNotExist)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	// https://www.sqlite.org/fileformat.html#the_database_header
	var header [100]byte
	if _, err := io.ReadFull(f, header[:]); err != nil {
		return ErrNotAudit
	}
	if !bytes.HasPrefix(header[:], []byte("SQLite format 3\x00")) || binary.BigEndian.Uint32(header[68:]) != applicationID {
		return ErrNotAudit
	}
	return nil
}
