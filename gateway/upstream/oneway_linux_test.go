package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/sys/unix"
)

// A server that asks without end and reads nothing is not read any more once the
// pipe with our answers is full, so that nothing piles up; calls and the client
// end all the same.
func TestAServerThatNagsHoldsUpOnlyItself(t *testing.T) {
	client := start(t, "nags")
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := client.Call(ctx, "version", nil)
		result <- err
	}()
	for !full(t, client.process.stdin) || !full(t, client.process.stdout) {
		runtime.Gosched()
	}
	if n := written(t, client.process.pid); n > 1<<20 { // two pipes of 64 KiB, and what is between them
		t.Errorf("the server could write %d bytes", n)
	}
	cancel()
	if err := <-result; !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v", err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}

// written counts the bytes that a process has written, see proc_pid_io(5).
func written(t *testing.T, pid int) (n int) {
	t.Helper()
	account, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(account)) {
		fmt.Sscanf(line, "wchar: %d", &n)
	}
	if n == 0 {
		t.Fatal("the kernel does not say what was written")
	}
	return n
}

// full reports whether a pipe has no more room than a few lines.
func full(t *testing.T, pipe *os.File) bool {
	t.Helper()
	conn, err := pipe.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var size, held int
	var asked, counted error
	err = conn.Control(func(fd uintptr) {
		size, asked = unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0)
		held, counted = unix.IoctlGetInt(int(fd), unix.TIOCINQ)
	})
	if err := errors.Join(err, asked, counted); err != nil {
		t.Fatal(err)
	}
	return held > size-size/8
}

func TestOnlyTextAndAnObjectALineIsRead(t *testing.T) {
	for _, c := range []struct {
		name, stream, read string
		ok                 bool
	}{
		{"lines", "{\"a\":[1]}\n{}\n", "{\"a\":[1]}\n{}\n", true},
		{"blanks, line ends of two bytes and empty lines", " \t{}\r\n\r\n\n{}", " \t{}\r\n\r\n\n{}", true},
		{"characters of several bytes", "{\"\u20ac\U0001f600\"}\n", "{\"\u20ac\U0001f600\"}\n", true},
		{"a batch", "{}\n[{}]\n", "{}\n", false},
		{"words", "{}\nlistening\n{}\n", "{}\n", false},
		{"a line within an object", "{\n\"a\":1}\n", "{\n", false},
		{"a byte that is no text", "{\"a\":\"\xff\"}\n", "{\"a\":\"", false},
		{"half a character at the end", "{\"\xe2\x82", "{\"", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.stream), iotest.OneByteReader(strings.NewReader(c.stream))} {
				read, err := io.ReadAll(newStrict(io.NopCloser(r), new(asides)))
				if string(read) != c.read || (err == nil) != c.ok {
					t.Errorf("%q, %v", read, err)
				}
			}
		})
	}
}
