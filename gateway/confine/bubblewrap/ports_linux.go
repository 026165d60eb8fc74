package bubblewrap

import (
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A server that is left single ports of the machine has a network of its own all
// the same. Before it starts, our program in its place listens at these ports
// there, sends the listening sockets out, and becomes the server. Outside, each
// connection is led on to the same port of the machine.

// helper is where our own program stands in such a sandbox.
const helper = "/.postern"

func numbers(ports []int) string {
	return strings.Trim(fmt.Sprint(ports), "[]")
}

// ports listens inside and becomes the command. It returns only where it fails.
func ports(args []string) int {
	if err := listen(args); err != nil {
		fmt.Fprintln(os.Stderr, "postern: confining by bubblewrap:", err)
	}
	return stageFailed
}

func listen(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("listening at the ports that are left open: %w", syscall.EINVAL)
	}
	var fds []int
	for _, port := range strings.Fields(args[0]) {
		l, err := net.Listen("tcp4", "127.0.0.1:"+port)
		if err != nil {
			return fmt.Errorf("listening at a port that is left open: %w", err)
		}
		f, err := l.(*net.TCPListener).File()
		if err != nil {
			return fmt.Errorf("listening at a port that is left open: %w", err)
		}
		fds = append(fds, int(f.Fd()))
	}
	if err := unix.Sendmsg(otherFD, []byte{0}, unix.UnixRights(fds...), nil, 0); err != nil {
		return fmt.Errorf("telling of the ports that are left open: %w", err)
	}
	unix.CloseOnExec(otherFD)
	if err := syscall.Exec(args[1], args[1:], os.Environ()); err != nil {
		return fmt.Errorf("starting the tool server: %w", err)
	}
	return nil
}

// relay leads connections from a sandbox to the machine.
type relay struct {
	ports   []int
	control *net.UnixConn
}

// newRelay makes a relay, and the end of its control that goes inside.
func newRelay(ports []int) (*relay, *os.File, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("making a socket to the sandbox: %w", err)
	}
	ours, inside := os.NewFile(uintptr(pair[0]), "ports"), os.NewFile(uintptr(pair[1]), "ports")
	defer ours.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		inside.Close()
		return nil, nil, fmt.Errorf("making a socket to the sandbox: %w", err)
	}
	return &relay{ports, conn.(*net.UnixConn)}, inside, nil
}

// run leads connections on until the sandbox is gone.
func (r *relay) run(gone <-chan struct{}) {
	go func() {
		<-gone
		r.control.Close()
	}()
	space := make([]byte, unix.CmsgSpace(4*len(r.ports)))
	_, n, _, _, err := r.control.ReadMsgUnix(make([]byte, 1), space)
	if err != nil {
		return // it ended before
	}
	messages, err := unix.ParseSocketControlMessage(space[:n])
	if err != nil || len(messages) != 1 {
		return
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return
	}
	for i, fd := range fds {
		f := os.NewFile(uintptr(fd), "port")
		l, err := net.FileListener(f)
		f.Close()
		if err != nil || i >= len(r.ports) {
			continue
		}
		go func() {
			<-gone
			l.Close()
		}()
		go lead(l, net.JoinHostPort("127.0.0.1", strconv.Itoa(r.ports[i])))
	}
}

func lead(l net.Listener, to string) {
	for {
		inside, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer inside.Close()
			outside, err := net.Dial("tcp4", to)
			if err != nil {
				return
			}
			defer outside.Close()
			join(inside.(*net.TCPConn), outside.(*net.TCPConn))
		}()
	}
}

// join copies both ways, and tells each side when the other has no more to say.
func join(a, b *net.TCPConn) {
	var both sync.WaitGroup
	for _, way := range [][2]*net.TCPConn{{a, b}, {b, a}} {
		both.Go(func() {
			io.Copy(way[0], way[1])
			way[0].CloseWrite()
		})
	}
	both.Wait()
}
