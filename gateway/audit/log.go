package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// ErrBroken is what Append returns after it failed once, and after Close: the
// end of the chain is not known for certain any more.
var ErrBroken = errors.New("the audit log does not take rows any more")

// Log appends to one file. It is meant to be the only writer: a second one
// makes the appends of one of them fail. Safe for concurrent use.
type Log struct {
	db     *sql.DB
	insert *sql.Stmt
	weak   Weakness

	turn   chan struct{} // holds one: who put it there commits
	writer writer        // of whose turn it is
	broken bool          // likewise

	mu      sync.Mutex
	closed  bool
	waiting []*pending
	head    Head
	commits int64 // that made rows durable
}

type pending struct {
	row    row
	result chan error // holds one
}

// Open opens or creates a log and continues its chain. The last row must hold
// together; Verify checks them all.
func Open(ctx context.Context, path string) (*Log, error) {
	return openLog(ctx, file(path, Weakness{}), Weakness{})
}

// OpenMemory begins a log that is gone with Close: the same chain, and no disk.
func OpenMemory(ctx context.Context) (*Log, error) {
	return openLog(ctx, memory(), Weakness{})
}

func openLog(ctx context.Context, at place, w Weakness) (*Log, error) {
	db, err := at.open()
	if err != nil {
		return nil, fmt.Errorf("opening audit log: %w", err)
	}
	db.SetMaxOpenConns(1)
	l := &Log{
		db: db, weak: w,
		turn:   make(chan struct{}, 1),
		writer: writer{now: clocks(), rows: map[string]int64{}},
	}
	if err := l.prepare(ctx, at); err != nil {
		return nil, errors.Join(fmt.Errorf("opening audit log: %w", err), db.Close())
	}
	return l, nil
}

func (l *Log) prepare(ctx context.Context, at place) error {
	if err := create(ctx, l.db); err != nil {
		return err
	}
	if err := at.journal(ctx, l.db); err != nil {
		return err
	}
	head, err := last(ctx, l.db)
	if err != nil {
		return err
	}
	l.head = head
	l.insert, err = l.db.PrepareContext(ctx, insert)
	return err
}

// Head is the end of the chain as far as it is durable. A copy kept outside
// the file is an anchor for Verify.
func (l *Log) Head() Head {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head
}

// Commits counts how often this log has waited for the disk: rows in a group
// share one.
func (l *Log) Commits() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.commits
}

// Verify walks the chain of a log that is open, as the function does that of a
// file. It is the only way to look into one that has no file.
func (l *Log) Verify(ctx context.Context, anchors ...Head) (Report, error) {
	return verify(ctx, l.db, anchors)
}

// Close writes what still waits and closes the file. Safe to call twice.
func (l *Log) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	for l.lead() {
	}
	if err := errors.Join(l.insert.Close(), l.db.Close()); err != nil {
		return fmt.Errorf("closing audit log: %w", err)
	}
	return nil
}
