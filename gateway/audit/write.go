package audit

import (
	"fmt"
	"runtime"
	"time"
)

// writer is what only the writing goroutine knows.
type writer struct {
	now     func() moment
	opening moment // of the first row of this opening
	began   bool
	last    int64            // elapsed in the last row
	rows    map[string]int64 // of each session that has no last row yet
}

// moment is one look at two clocks, in nanoseconds.
type moment struct {
	wall      int64 // since 1970; anybody with the right may set it
	monotonic int64 // since some moment of this process; nobody can
}

func clocks() func() moment {
	began := time.Now()
	return func() moment {
		now := time.Now()
		return moment{now.UnixNano(), now.Sub(began).Nanoseconds()}
	}
}

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

// batch takes what is queued behind first. It waits for nobody, but those whose
// rows have just become durable get a turn first: what they say next shares the
// commit, and not only every other one.
func (l *Log) batch(first *pending) []*pending {
	runtime.Gosched()
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
		r := l.writer.complete(p.row, head)
		if l.weak.Unchained {
			r.previous = Hash{}
		}
		head = Head{Rows: r.sequence, Hash: r.hash()}
		if _, err := statement.Exec(r.sequence, r.time, r.elapsed, r.session, r.call, r.tool, r.code,
			r.policy, r.revision, r.label, r.commitment, r.previous[:], head.Hash[:]); err != nil {
			return fmt.Errorf("appending audit rows: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("appending audit rows: %w", err)
	}
	l.headMu.Lock()
	l.head = head
	l.commits++
	l.headMu.Unlock()
	return nil
}

// complete gives a row its place and its time, and counts it.
func (w *writer) complete(r row, head Head) row {
	now := w.now()
	if w.began {
		w.last = max(now.monotonic-w.opening.monotonic, w.last+1)
	} else {
		w.began, w.opening = true, now
	}
	r.sequence, r.previous = head.Rows+1, head.Hash
	r.time, r.elapsed = now.wall, w.last
	if r.commitment == nil {
		r.commitment = []byte{} // not NULL
	}
	if r.code == SessionClosed {
		r.call = w.rows[r.session]
		delete(w.rows, r.session)
	} else {
		w.rows[r.session]++
	}
	return r
}
