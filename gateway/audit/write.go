package audit

import (
	"fmt"
	"time"
)

// write is the one writer: rows that queued up while a commit waited for the
// disk share the next one. After a failure it takes no row any more.
func (l *Log) write() {
	defer close(l.done)
	broken := false
	for first := range l.queue {
		batch := l.batch(first)
		err := ErrBroken
		if !broken {
			err = l.commit(batch)
			broken = err != nil
		}
		for _, p := range batch {
			p.result <- err
		}
	}
}

// batch takes what is queued behind first, without waiting.
func (l *Log) batch(first *pending) []*pending {
	batch := []*pending{first}
	for len(batch) < batchMax {
		select {
		case p, open := <-l.queue:
			if !open {
				return batch
			}
			batch = append(batch, p)
		default:
			return batch
		}
	}
	return batch
}

// commit makes a batch durable, all of it or nothing. It is bound by the busy
// timeout, not by a caller's context: a batch has many callers.
func (l *Log) commit(batch []*pending) error {
	tx, err := l.db.Begin()
	if err != nil {
		return fmt.Errorf("appending audit rows: %w", err)
	}
	defer tx.Rollback() // after a commit it does nothing
	statement, head := tx.Stmt(l.insert), l.Head()
	defer statement.Close()
	for _, p := range batch {
		r := row{Entry: p.entry, sequence: head.Rows + 1, time: time.Now().UnixNano(), previous: head.Hash}
		head = Head{Rows: r.sequence, Hash: r.hash()}
		if _, err := statement.Exec(r.sequence, r.time, r.Session, r.Call, r.Tool,
			r.Code, r.Policy, r.Label, r.previous[:], head.Hash[:]); err != nil {
			return fmt.Errorf("appending audit rows: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("appending audit rows: %w", err)
	}
	l.headMu.Lock()
	l.head = head
	l.headMu.Unlock()
	return nil
}
