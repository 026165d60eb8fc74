package watchdog

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The test binary plays every process there is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "watchdog":
			os.Exit(Main(os.Args[2:]))
		case "bridge":
			bridge()
		case "impostor":
			impostor(os.Args[2])
		case "patient":
			io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// task is what a stand-in bridge is told on its standard input.
type task struct {
	Options Options
	Canary  string // it only holds it
	Forks   int    // children that it starts while it arms
}

// report is what it says, each in a line.
type report struct {
	Said     string // "armed", "failed", "lost", "disarmed"
	Watchdog int
	Pidfd    bool
	Clean    bool
}

// bridge arms as told, says when the lease is lost, and stops the container
// through the Engine only where no pidfd does it. A second line disarms.
func bridge() {
	in := bufio.NewReader(os.Stdin)
	say := json.NewEncoder(os.Stdout)
	var t task
	line, err := in.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &t) != nil {
		os.Exit(1)
	}
	forks := make(chan error)
	go func() { forks <- forkBusily(t.Forks) }()
	l, err := Arm(context.Background(), t.Options)
	if err := <-forks; err != nil {
		os.Exit(1)
	}
	if err != nil {
		say.Encode(report{Said: "failed"})
		os.Exit(1)
	}
	say.Encode(report{Said: "armed", Watchdog: l.PID(), Pidfd: l.Pidfd})
	go func() {
		<-l.Lost()
		if t.Options.Weak.NoPidfd {
			newEngine(t.Options.Socket, t.Options.Container).stop(context.Background(), Timing{}.complete())
		}
		say.Encode(report{Said: "lost"})
	}()
	if _, err := in.ReadByte(); err != nil {
		os.Exit(1)
	}
	clean := l.Disarm(context.Background()) == nil
	say.Encode(report{Said: "disarmed", Clean: clean})
	io.Copy(io.Discard, in)
	os.Exit(len(t.Canary) & 1)
}

// forkBusily starts children that end with the bridge.
func forkBusily(n int) error {
	for range n {
		child := exec.Command("/proc/self/exe", "patient")
		if _, err := child.StdinPipe(); err != nil {
			return err
		}
		if err := child.Start(); err != nil {
			return err
		}
	}
	return nil
}

// impostor is a program that does not do what the watchdog does.
func impostor(how string) {
	in, out := os.NewFile(beatsFD, "beats"), os.NewFile(answersFD, "answers")
	read := func() (m message) {
		var b [size]byte
		if _, err := io.ReadFull(in, b[:]); err != nil {
			os.Exit(1)
		}
		m, _ = decode(b)
		return m
	}
	say := func(m message) { out.Write(m.encode()) }
	forever := func() { io.Copy(io.Discard, in); time.Sleep(time.Hour) }
	read()
	switch how {
	case "mute":
		forever()
	case "dies":
		os.Exit(1)
	case "refuses":
		say(message{refused, uint64(notRunning)})
		forever()
	case "garbage":
		out.Write([]byte("armed and ready"))
		forever()
	case "full":
		fill()
		say(message{armed, 0})
		time.Sleep(time.Hour)
	}
	say(message{armed, 0})
	for {
		m := read()
		switch how {
		case "obstinate":
			if m.kind == beat {
				say(message{answered, m.number})
			}
		case "lingering":
			say(message{answered, m.number})
		case "failing":
			say(message{answered, m.number})
			if m.kind == disarm {
				os.Exit(1)
			}
		case "silent":
		case "wrong":
			say(message{answered, m.number + 1})
		case "other":
			say(message{armed, m.number})
		case "twice":
			say(message{answered, m.number})
			say(message{answered, m.number})
		case "half":
			out.Write(message{answered, m.number}.encode()[:size-1])
		case "deaf":
			say(message{answered, m.number})
			in.Close()
			time.Sleep(time.Hour)
		case "leaves":
			say(message{answered, m.number})
			os.Exit(0)
		}
	}
}

// fill leaves no room in the pipe of heartbeats.
func fill() {
	fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", beatsFD), unix.O_WRONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		os.Exit(1)
	}
	for block := make([]byte, 4096); ; {
		if _, err := unix.Write(fd, block); err != nil {
			break
		}
	}
	for {
		if _, err := unix.Write(fd, []byte{0}); err != nil {
			return
		}
	}
}
