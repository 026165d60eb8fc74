package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// busyTimeout is how long a statement waits for another process's lock: a
// gateway that waits longer is not available.
const busyTimeout = 200 * time.Millisecond

// batchMax bounds how many rows share one commit.
const batchMax = 64

const table = `CREATE TABLE IF NOT EXISTS audit (
	sequence INTEGER PRIMARY KEY,
	time     INTEGER NOT NULL,
	session  TEXT NOT NULL,
	call     INTEGER NOT NULL,
	tool     TEXT NOT NULL,
	code     TEXT NOT NULL,
	policy   TEXT NOT NULL,
	label    TEXT NOT NULL,
	previous BLOB NOT NULL,
	hash     BLOB NOT NULL
) STRICT`

const insert = `INSERT INTO audit
	(sequence, time, session, call, tool, code, policy, label, previous, hash)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// ErrBroken is what Append returns after it failed once, and after Close: the
// end of the chain is not known for certain any more.
var ErrBroken = errors.New("the audit log does not take rows any more")

// Log appends to one file. It is meant to be the only writer: a second one
// makes the appends of one of them fail. Safe for concurrent use.
type Log struct {
	db     *sql.DB
	insert *sql.Stmt
	queue  chan *pending
	done   chan struct{} // closed when the writer has returned

	mu     sync.RWMutex // held for reading while a row is handed to the queue
	closed bool

	headMu sync.Mutex
	head   Head
}

type pending struct {
	entry  Entry
	result chan error // holds one
}

// Open opens or creates a log and continues its chain. The last row must hold
// together; Verify checks them all.
func Open(ctx context.Context, path string) (*Log, error) {
	db, err := sql.Open("sqlite", source(path, "rwc"))
	if err != nil {
		return nil, fmt.Errorf("opening audit log: %w", err)
	}
	db.SetMaxOpenConns(1)
	l := &Log{db: db, queue: make(chan *pending, batchMax), done: make(chan struct{})}
	if err := l.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening audit log: %w", err), db.Close())
	}
	go l.write()
	return l, nil
}

// source names the file to the driver. FULL makes every commit in WAL mode
// wait until the disk has it.
func source(path, mode string) string {
	query := url.Values{"mode": {mode}, "_txlock": {"immediate"}}
	query["_pragma"] = []string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"synchronous(FULL)",
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: query.Encode()}).String()
}

func (l *Log) prepare(ctx context.Context) error {
	var mode string
	if err := l.db.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return errors.New("the file does not take write-ahead logging")
	}
	if _, err := l.db.ExecContext(ctx, table); err != nil {
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

// Append adds a row. When it returns nil the row is on disk; when it returns
// an error, including ctx's, the row may or may not be there.
func (l *Log) Append(ctx context.Context, e Entry) error {
	p := &pending{entry: e, result: make(chan error, 1)}
	if err := l.enqueue(ctx, p); err != nil {
		return err
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
// the file is an anchor for VerifyHead.
func (l *Log) Head() Head {
	l.headMu.Lock()
	defer l.headMu.Unlock()
	return l.head
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
