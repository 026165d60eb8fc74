//go:build !darwin

package spawn

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"postern/gateway/confine/bubblewrap"
)

// passed are the signals that the server receives in place of us. Those that
// stop or kill at once cannot be passed on; when we are killed, so is it.
var passed = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// attempts are how often a sandbox is made: what is mounted on the host may go
// away in the moment that it takes, and then nothing has run.
const attempts = 3

// wrapped is a sandbox of bubblewrap's, beside which this process stays.
type wrapped struct{ *bubblewrap.Sandbox }

func (w wrapped) beside() (Process, error) { return w.Start() }

func (w wrapped) Run() (int, error) {
	arrived := make(chan os.Signal, 16)
	signal.Notify(arrived, passed...)
	defer signal.Stop(arrived)
	for n := 1; ; n++ {
		code, err := once(w.Sandbox, arrived)
		if n == attempts || !errors.Is(err, bubblewrap.ErrNotMade) {
			return code, err
		}
	}
}

func once(sandbox *bubblewrap.Sandbox, arrived <-chan os.Signal) (int, error) {
	process, err := sandbox.Start()
	if err != nil {
		return ExitRefused, err
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-arrived:
				process.Signal(s.(syscall.Signal)) // one that has ended receives nothing
			case <-ended:
				return
			}
		}
	}()
	return process.Wait()
}
