package main

import (
	"fmt"
	"io"
	"time"
)

// A comparison that is over soon is not told of; where nobody watches, one that
// takes long says so from time to time.
const (
	quietFor   = time.Second
	unwatched  = 10 * time.Second
	notYetLeft = 3 * time.Second // of one kind of work, before it is said how much is left
)

// mutateProgress tells how far a comparison of mutants is: one line that is
// written over on a terminal, a line now and then elsewhere.
type mutateProgress struct {
	*progress
	began, told time.Time
	what        string
	since       time.Time // when this kind of work began
}

func newMutateProgress(out io.Writer) *mutateProgress {
	now := time.Now()
	return &mutateProgress{progress: newProgress(out), began: now, told: now}
}

// tell is never called twice at once.
func (p *mutateProgress) tell(what string, done, total int) {
	now := time.Now()
	if what != p.what {
		p.what, p.since = what, now
	}
	if now.Sub(p.began) < quietFor || !p.terminal && now.Sub(p.told) < unwatched {
		return
	}
	p.told = now
	text := fmt.Sprintf("%d/%d %s", done, total, what)
	if spent := now.Sub(p.since); spent > notYetLeft && done > 0 && done < total {
		text += fmt.Sprintf(", about %d s left of this", int(spent.Seconds()/float64(done)*float64(total-done)+0.5))
	}
	if !p.terminal {
		fmt.Fprintln(p.out, text)
		return
	}
	fmt.Fprint(p.out, "\r\x1b[K"+text[:min(len(text), p.width-1)])
}

// end takes the line away.
func (p *mutateProgress) end() { p.clear() }
