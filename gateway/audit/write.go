package audit

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// batchMax bounds how many rows share one commit.
const batchMax = 64

// writer is what only whose turn it is knows.
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

// append hands a row over and waits for it.
func (l *Log) append(ctx context.Context, r row) error {
	p := &pending{row: r, result: make(chan error, 1)}
	l.mu.Lock()
	closed := l.closed
	if !closed {
		l.waiting = append(l.waiting, p)
	}
	l.mu.Unlock()
	switch {
	case closed:
		return ErrBroken
	case l.weak.Early:
		go l.await(context.Background(), p)
		return nil
	}
	return l.await(ctx, p)
}

// await waits until a row is durable. Where nobody commits, whoever waits does,
// for all who wait: a caller that is alone needs no other goroutine.
func (l *Log) await(ctx context.Context, p *pending) error {
	for {
		select {
		case err := <-p.result:
			return err
		case l.turn <- struct{}{}:
			l.lead()
			<-l.turn
		case <-ctx.Done():
			return fmt.Errorf("appending an audit row: %w", ctx.Err())
		}
	}
}

// lead makes the rows durable that wait, and reports whether there were any. After
// a failure it takes no row any more. It is the caller's turn.
func (l *Log) lead() bool {
	batch := l.batch()
	err := ErrBroken
	if !l.broken && len(batch) > 0 {
		err = l.commit(batch)
		l.broken = err != nil
	}
	for _, p := range batch {
		p.result <- err
	}
	return len(batch) > 0
}

// batch takes rows that wait, in their order. Those whose rows have just become
// durable get a turn first: what they say next shares this commit, and not only
// every other one.
func (l *Log) batch() []*pending {
	runtime.Gosched()
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(l.waiting), batchMax)
	batch := l.waiting[:n:n]
	l.waiting = l.waiting[n:]
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
	l.mu.Lock()
	l.head = head
	l.commits++
	l.mu.Unlock()
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
