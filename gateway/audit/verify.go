package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const columns = `SELECT sequence, time, session, call, tool, code, policy, label, previous, hash FROM audit`

// Broken names the first row that does not fit the chain.
type Broken struct {
	Row    int64  // its place, from 1
	Reason string // fixed words
}

func (b *Broken) Error() string {
	return fmt.Sprintf("audit row %d: %s", b.Row, b.Reason)
}

// Verify walks the whole chain and returns how many rows hold. It cannot see
// that rows are missing at the end: that takes VerifyHead.
func Verify(ctx context.Context, path string) (rows int, err error) {
	head, err := walk(ctx, path)
	return int(head.Rows), err
}

// VerifyHead verifies the chain and that it ends where an anchor, kept
// outside the file, says.
func VerifyHead(ctx context.Context, path string, anchor Head) error {
	head, err := walk(ctx, path)
	if err != nil {
		return err
	}
	if head.Rows < anchor.Rows {
		return &Broken{Row: head.Rows + 1, Reason: "it is missing"}
	}
	if head != anchor {
		return &Broken{Row: max(anchor.Rows, 1), Reason: "the chain does not end there as it did"}
	}
	return nil
}

func walk(ctx context.Context, path string) (Head, error) {
	db, err := sql.Open("sqlite", source(path, "ro"))
	if err != nil {
		return Head{}, fmt.Errorf("verifying audit log: %w", err)
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, columns+` ORDER BY sequence`)
	if err != nil {
		return Head{}, fmt.Errorf("verifying audit log: %w", err)
	}
	defer rows.Close()
	var head Head
	for rows.Next() {
		next, err := follow(head, rows)
		if err != nil {
			return head, err
		}
		head = next
	}
	if err := rows.Err(); err != nil {
		return head, fmt.Errorf("verifying audit log: %w", err)
	}
	return head, nil
}

// follow checks one row against the end of the chain before it.
func follow(head Head, scanner interface{ Scan(...any) error }) (Head, error) {
	r, hash, err := read(scanner)
	switch {
	case err != nil:
		return head, &Broken{Row: head.Rows + 1, Reason: "it cannot be read"}
	case r.sequence != head.Rows+1:
		return head, &Broken{Row: head.Rows + 1, Reason: "it is missing"}
	case r.previous != head.Hash:
		return head, &Broken{Row: r.sequence, Reason: "it does not name the hash before it"}
	case r.hash() != hash:
		return head, &Broken{Row: r.sequence, Reason: "its hash does not match it"}
	}
	return Head{Rows: r.sequence, Hash: hash}, nil
}

func read(scanner interface{ Scan(...any) error }) (row, Hash, error) {
	var r row
	var previous, hash []byte
	if err := scanner.Scan(&r.sequence, &r.time, &r.Session, &r.Call, &r.Tool,
		&r.Code, &r.Policy, &r.Label, &previous, &hash); err != nil {
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
		return Head{}, &Broken{Row: r.sequence, Reason: "its hash does not match it"}
	}
	return Head{Rows: r.sequence, Hash: hash}, nil
}
