package upstream

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"postern/gateway/guard/spawn"
)

// bound is how long a test waits before it calls something hung.
const bound = 20 * time.Second

// built is where TestMain put the two versions of the test server.
var built struct{ one, two string }

func TestMain(m *testing.M) {
	if code, ours := spawn.Inner(os.Args); ours {
		os.Exit(code)
	}
	if os.Getenv("POSTERN_TEST_PARENT") != "" {
		parent()
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "upstream")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built.one, built.two = filepath.Join(dir, "one"), filepath.Join(dir, "two")
	for version, path := range map[string]string{"one": built.one, "two": built.two} {
		build := exec.Command("go", "build", "-ldflags", "-X main.version="+version, "-o", path, "./testdata/server")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			panic(err)
		}
	}
	return m.Run()
}

func sum(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

func start(t testing.TB, mode string, env ...string) *Client {
	t.Helper()
	client, err := Start(t.Context(), Server{Path: built.one, SHA256: sum(t, built.one), Args: []string{mode}, Env: env, Guard: Guard{Optional: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

// beacons listens for the connections that test servers hold while they live.
type beacons struct{ listener *net.UnixListener }

func listen(t testing.TB) (beacons, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "beacon")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return beacons{listener}, path
}

func (b beacons) accept(t testing.TB) net.Conn {
	t.Helper()
	b.listener.SetDeadline(time.Now().Add(bound))
	conn, err := b.listener.Accept()
	if err != nil {
		t.Fatal("no test server started")
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// nobody fails the test if a server has started.
func (b beacons) nobody(t testing.TB) {
	t.Helper()
	b.listener.SetDeadline(time.Now()) // what has connected is in the backlog
	if conn, err := b.listener.Accept(); err == nil {
		conn.Close()
		t.Error("something was run")
	}
}

// ended waits until the process behind a beacon is gone.
func ended(t testing.TB, conn net.Conn) {
	t.Helper()
	conn.SetReadDeadline(time.Now().Add(bound))
	buffer := make([]byte, 64)
	for {
		if _, err := conn.Read(buffer); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("the process is still there")
		} else if err != nil {
			return
		}
	}
}
