package observers

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
)

// The kernel keeps little of its log, and what was overwritten before it was
// read is a drop: nobody waits for the end of a trial to read it.
func TestRecordsAreReadAsTheyAreTold(t *testing.T) {
	asRoot(t)
	fd, err := unix.Open(kmsgPath, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	must(t, err)
	if _, err := unix.Seek(fd, 0, unix.SEEK_END); err != nil {
		t.Fatal(err)
	}
	tr := newTrial(t)
	l, err := readRecords(fd, tr.watch, nil)
	must(t, err)
	defer l.close()
	must(t, writeKmsg(tr.text(channel.KernelKmsg)))
	for deadline := time.After(time.Minute); ; {
		l.mu.Lock()
		seen, news := l.told.seen[channel.KernelKmsg], l.news
		l.mu.Unlock()
		if seen > 0 {
			break
		}
		select {
		case <-news:
		case <-deadline:
			t.Fatal("nobody reads it before it is asked for")
		}
	}
	if g, err := l.counted(); err != nil || g.seen[channel.KernelKmsg] != 1 {
		t.Errorf("%v, %v", g.seen, err)
	}
}

// Reading ends with the observer, and says so to whoever asks later.
func TestRecordsEnd(t *testing.T) {
	asRoot(t)
	fd, err := auditSocket()
	must(t, err)
	l, err := readRecords(fd, newTrial(t).watch, nil)
	must(t, err)
	must(t, l.close())
	if _, _, err := l.more(false); err == nil {
		t.Error("it reads on")
	}
}
