package observers

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// NewTerminal makes a terminal and reads what is written to it. Its other end is
// Path, for the session whose terminal it is to be. The terminal ends with that
// session: the pilots belong before.
func NewTerminal(sink channel.Sink, watch *canary.Watch, pilots Pilots) (*Pipe, error) {
	o := &Pipe{sink: sink, pilots: pilots, book: newLedger()}
	if err := o.openTerminal(); err != nil {
		o.Close()
		return nil, fmt.Errorf("starting the terminal observer: %w", withoutPath(err))
	}
	o.read.Go(func() { o.listen(watch.Stream()) })
	return o, nil
}

func (o *Pipe) openTerminal() (err error) {
	if o.reader, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0); err != nil {
		return err
	}
	raw, err := o.reader.SyscallConn()
	if err != nil {
		return err
	}
	number, failed := 0, error(nil)
	err = raw.Control(func(fd uintptr) {
		if failed = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); failed == nil {
			number, failed = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	o.path = fmt.Sprintf("/dev/pts/%d", number)
	o.writer, err = os.OpenFile(o.path, os.O_RDWR|syscall.O_NOCTTY, 0)
	return err
}

// Path is where the pipe or the terminal is.
func (o *Pipe) Path() string { return o.path }
