package spawn

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"postern/gateway/guard"
)

// hearing tells how many connections have come since it was last asked: those
// that were made are in the backlog by then.
func hearing(t *testing.T, l net.Listener) func() int {
	return func() int {
		t.Helper()
		heard := 0
		for {
			l.(interface{ SetDeadline(time.Time) error }).SetDeadline(time.Now().Add(time.Millisecond))
			conn, err := l.Accept()
			if err != nil {
				return heard
			}
			conn.Close()
			heard++
		}
	}
}

func TestNoNetwork(t *testing.T) {
	eachBackend(t, func(t *testing.T, l *lab) {
		for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
			listener, err := net.Listen("tcp", address)
			if err != nil {
				t.Logf("%s: no such network here", address)
				continue
			}
			heard := hearing(t, listener)
			dial := "dial=tcp:" + listener.Addr().String()
			if got := l.plain(t, dial); got.lines[0] != "dial 0 2" || heard() != 1 {
				t.Errorf("%s: the control: %q", address, got.lines)
			}
			for name, r := range map[string]guard.Request{"standard": {}, "strict": {Tier: guard.Strict}} {
				w := l.enrol(t, r)
				if got := l.confined(t, l.order(w, dial)); got.lines[0] != none("dial", l.unheard) || heard() != 0 {
					t.Errorf("%s, %s: %q, %s", address, name, got.lines, got.stderr)
				}
			}
			// A launcher fetches what it runs.
			w := l.enrol(t, guard.Request{Command: []string{l.fetcher}})
			if got := l.confined(t, l.order(w, dial)); got.lines[0] != "dial 0 2" || heard() != 1 {
				t.Errorf("%s, npx: %q, %s", address, got.lines, got.stderr)
			}
			listener.Close()
		}
	})
}

func TestNobodyReachesTheServer(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		w := l.enrol(t, guard.Request{})
		reached := func(s *live) bool {
			port, _ := strings.CutPrefix(s.line(t), "serving 0 ")
			conn, err := net.Dial("tcp", "127.0.0.1:"+port)
			if err == nil {
				conn.Close()
			}
			return err == nil
		}
		if !reached(start(t, l.as(l.plainCommand(t, "serve=127.0.0.1:0")))) {
			t.Error("the control is not reached")
		}
		if reached(start(t, l.command(t, l.order(w, "serve=127.0.0.1:0")))) {
			t.Error("the confined server is reached")
		}
	})
}

// A strict server is left the ports that its profile names, and no other.
func TestNamedPortsOnly(t *testing.T) {
	eachUser(t, func(t *testing.T, l *lab) {
		named, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer named.Close()
		other, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		w := l.enrol(t, guard.Request{Tier: guard.Strict, Ports: []int{named.Addr().(*net.TCPAddr).Port}})
		s := start(t, l.command(t, l.order(w, "dial=tcp:"+named.Addr().String(), "dial=tcp:"+other.Addr().String(), "descriptors=", "wait=")))
		named.(*net.TCPListener).SetDeadline(time.Now().Add(bound))
		conn, err := named.Accept()
		if err != nil {
			t.Fatal("nobody came to the named port")
		}
		said, err := io.ReadAll(conn)
		conn.Close()
		if err != nil || string(said) != "x\n" {
			t.Errorf("%d bytes came, %v", len(said), err)
		}
		for _, want := range []string{"dial 0 2", none("dial", unix.ECONNREFUSED), "descriptors 0 0", "waiting 0 0"} {
			if got := s.line(t); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		if heard := hearing(t, other)(); heard != 0 {
			t.Errorf("%d came to another port", heard)
		}
	})
}
