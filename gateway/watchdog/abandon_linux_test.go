package watchdog

import "testing"

// A session that cannot stop its container leaves it to the program, which
// must kill it, and does so after the trusted side has let go of everything.
func TestAbandonLeavesTheContainerToTheProgram(t *testing.T) {
	s := fakeScene(t)
	armed0(t, s, Timing{}).Disarm(t.Context()) // what Go opens once is open now
	s = fakeScene(t)
	before := descriptors(t)
	l := armed0(t, s, Timing{})
	l.Abandon()
	if !lost(l, 0) {
		t.Error("nobody is told")
	}
	if !gone(t, s.pidfd, patience) || s.fake.killed() == 0 {
		t.Error("the container lives on")
	}
	<-l.exited // the program ends by itself, and is reaped
	<-l.exited // until then its process is held, to be reaped
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
