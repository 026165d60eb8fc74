package audit

import "time"

// Reason is a closed word for why a row does not fit.
type Reason string

const (
	Unreadable    Reason = "unreadable"       // the file is damaged there
	OtherSchema   Reason = "other-schema"     // not the one table as this program makes it
	Missing       Reason = "missing"          // a later row stands in its place
	Reordered     Reason = "reordered"        // it names the hash of a row behind it, or stands before the first
	SecondHead    Reason = "second-head"      // it goes on from a row that has a successor, or begins anew
	Unchained     Reason = "unchained"        // it names a hash that no row has
	Edited        Reason = "edited"           // its hash does not match it
	NoCommitment  Reason = "not-a-commitment" // what stands there has another length
	AfterEnd      Reason = "after-end"        // its session was closed before
	WrongCount    Reason = "wrong-count"      // a session's last row counts others than there are
	CutOff        Reason = "cut-off"          // an anchor says that there was such a row
	OtherChain    Reason = "other-chain"      // an anchor says that the chain went elsewhere
	ClockStep     Reason = "clock-step"       // never of a Broken: see Report.ClockSteps
	slewTolerance        = 1000               // clocks may differ by one part in this: NTP slews by half of it
	stepTolerance        = int64(100 * time.Millisecond)
)

// chain follows rows in their order.
type chain struct {
	report   Report
	last     row
	base     row              // what the clock is held against over longer time
	open     map[string]int64 // rows of each session that has no last row yet
	ended    map[string]bool
	anchors  []Head
	offender row
}

func newChain(anchors []Head) *chain {
	return &chain{open: map[string]int64{}, ended: map[string]bool{}, anchors: anchors}
}

// follow checks one row against those before it.
func (c *chain) follow(r row, hash Hash) error {
	head := c.report.Head
	place := head.Rows + 1
	broken := func(why Reason) error {
		c.offender = r
		return &Broken{Row: place, Reason: why}
	}
	switch {
	case r.sequence < place:
		return broken(Reordered)
	case r.sequence > place:
		return broken(Missing)
	case r.previous != head.Hash:
		return broken(Unchained)
	case r.hash() != hash:
		return broken(Edited)
	case len(r.commitment) != 0 && len(r.commitment) != len(Hash{}):
		return broken(NoCommitment)
	case c.ended[r.session]:
		return broken(AfterEnd)
	case r.code == SessionClosed && r.call != c.open[r.session]:
		return broken(WrongCount)
	}
	for _, anchor := range c.anchors {
		if anchor.Rows == place && anchor.Hash != hash {
			return broken(OtherChain)
		}
	}
	c.accept(r, hash)
	return nil
}

func (c *chain) accept(r row, hash Hash) {
	if c.stepped(r) {
		c.report.ClockSteps++
		if c.report.FirstStep == 0 {
			c.report.FirstStep = r.sequence
		}
		c.base = r
	}
	if r.elapsed == 0 {
		c.base = r
	}
	if r.code == SessionClosed {
		c.ended[r.session] = true
		delete(c.open, r.session)
	} else {
		c.open[r.session]++
	}
	c.last = r
	c.report.Rows, c.report.Head = r.sequence, Head{Rows: r.sequence, Hash: hash}
}

// stepped reports whether the clock had been set. Within one opening of the
// file a clock that nobody sets tells how much time went by. From one opening
// to the next only a step backwards shows.
func (c *chain) stepped(r row) bool {
	switch {
	case r.sequence == 1:
		return r.elapsed != 0
	case r.elapsed == 0:
		return r.time < c.last.time-stepTolerance
	}
	return r.elapsed <= c.last.elapsed || apart(r, c.last) || apart(r, c.base)
}

// apart reports whether two rows of one opening tell two lengths of time.
func apart(r, before row) bool {
	elapsed := r.elapsed - before.elapsed
	difference := r.time - before.time - elapsed
	return max(difference, -difference) > stepTolerance+elapsed/slewTolerance
}

// end checks what only shows when there is no further row.
func (c *chain) end() error {
	for _, anchor := range c.anchors {
		if anchor.Rows > c.report.Rows {
			return &Broken{Row: c.report.Rows + 1, Reason: CutOff}
		}
	}
	return nil
}

func (c *chain) result() Report {
	c.report.Unfinished = len(c.open)
	c.report.Sessions = len(c.open) + len(c.ended)
	return c.report
}
