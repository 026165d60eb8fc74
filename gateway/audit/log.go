package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// batchMax bounds how many rows share one commit.
const batchMax = 64

// ErrBroken is what Append returns after it failed once, and after Close: the
// end of the chain is not known for certain any more.
var ErrBroken = errors.New("the audit log does not take rows any more")

// Log appends to one file. It is meant to be the only writer: a second one
// makes the appends of one of them fail. Safe for concurrent use.
type Log struct {
	db     *sql.DB
	insert *sql.Stmt
	weak   Weakness
	queue  chan *pending
	done   chan struct{} // closed when the writer has returned
	writer writer

	mu     sync.RWMutex // held for reading while a row is handed to the queue
	closed bool

	headMu  sync.Mutex
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
		queue: make(chan *pending, batchMax), done: make(chan struct{}),
		writer: writer{now: clocks(), rows: map[string]int64{}},
	}
	if err := l.prepare(ctx, at); err != nil {
		return nil, errors.Join(fmt.Errorf("opening audit log: %w", err), db.Close())
	}
	go l.write()
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

func (l *Log) append(ctx context.Context, r row) error {
	p := &pending{row: r, result: make(chan error, 1)}
	if err := l.enqueue(ctx, p); err != nil {
		return err
	}
	if l.weak.Early {
		return nil
	}
	select {
	case err := <-p.result:
		return err
	case <-ctx.Done():
		return fmt.Errorf("appending an audit row: %w", ctx.Err())
	}
}

func (l *Log) enqueue(ctx context.Context, p *pending) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return ErrBroken
	}
	select {
	case l.queue <- p:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("appending an audit row: %w", ctx.Err())
	}
}

// Head is the end of the chain as far as it is durable. A copy kept outside
// the file is an anchor for Verify.
func (l *Log) Head() Head {
	l.headMu.Lock()
	defer l.headMu.Unlock()
	return l.head
}

// Commits counts how often this log has waited for the disk: rows in a group
// share one.
func (l *Log) Commits() int64 {
	l.headMu.Lock()
	defer l.headMu.Unlock()
	return l.commits
}

// Verify walks the chain of a log that is open, as the function does that of a
// file. It is the only way to look into one that has no file.
func (l *Log) Verify(ctx context.Context, anchors ...Head) (Report, error) {
	return verify(ctx, l.db, anchors)
}

// Close writes what is queued and closes the file. Safe to call twice.
func (l *Log) Close() error {
	l.mu.Lock()
	first := !l.closed
	l.closed = true
	l.mu.Unlock()
	if first {
		close(l.queue)
	}
	<-l.done
	if err := errors.Join(l.insert.Close(), l.db.Close()); err != nil {
		return fmt.Errorf("closing audit log: %w", err)
	}
	return nil
}
