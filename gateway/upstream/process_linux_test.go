package upstream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func ask(t testing.TB, client *Client, tool string) []string {
	t.Helper()
	response, err := client.Call(t.Context(), tool, nil)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(response.Text, "\n")
}

func TestNothingIsInherited(t *testing.T) {
	t.Setenv("POSTERN_TEST_SECRET", "x")
	// As a careless parent leaves it: open, and not close-on-exec.
	left, err := unix.Open("/dev/null", unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(left)
	client := start(t, "normal", "A=1", "B=two words")
	if diff := cmp.Diff([]string{"A=1", "B=two words"}, ask(t, client, "environment")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"upstream", "normal"}, ask(t, client, "arguments")); diff != "" {
		t.Error(diff)
	}
	want := []string{"0 pipe", "1 pipe", "2 pipe", "3 /memfd:upstream (deleted)"}
	if diff := cmp.Diff(want, ask(t, client, "descriptors")); diff != "" {
		t.Error(diff)
	}
}

func TestAnEmptyEnvironmentIsEmpty(t *testing.T) {
	t.Setenv("POSTERN_TEST_SECRET", "x")
	if got := ask(t, start(t, "normal"), "environment"); !slices.Equal(got, []string{""}) {
		t.Errorf("%d entries", len(got))
	}
}

func TestStderrIsCountedAndNeverBlocks(t *testing.T) {
	client := start(t, "noise")
	if _, err := client.Call(t.Context(), "version", nil); err != nil {
		t.Fatal(err)
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	if got := client.Stderr(); got != 1<<20 {
		t.Errorf("%d bytes", got)
	}
}

func TestCloseEndsTheWholeGroup(t *testing.T) {
	for _, mode := range []string{"normal", "deaf", "parent"} {
		t.Run(mode, func(t *testing.T) {
			beacons, path := listen(t)
			client := start(t, mode, "BEACON="+path)
			alive := []net.Conn{beacons.accept(t)}
			if mode == "parent" {
				alive = append(alive, beacons.accept(t))
			}
			if err := client.Close(); err != nil {
				t.Fatal(err)
			}
			for _, conn := range alive {
				ended(t, conn)
			}
			if _, err := client.Call(t.Context(), "version", nil); !errors.Is(err, ErrUnavailable) {
				t.Errorf("a call after Close: %v", err)
			}
			if err := client.Close(); err != nil {
				t.Errorf("closing twice: %v", err)
			}
		})
	}
}

func TestTheGroupGoesWithItsLeader(t *testing.T) {
	beacons, path := listen(t)
	client := start(t, "parent", "BEACON="+path)
	leader, child := beacons.accept(t), beacons.accept(t)
	client.process.stdin.Close() // the leader leaves by itself
	ended(t, leader)
	ended(t, child)
}

func TestAServerThatSaysNothingIsGivenUpAndEnded(t *testing.T) {
	beacons, path := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		conn, err := beacons.listener.Accept()
		cancel()
		if err == nil {
			defer conn.Close()
			ended(t, conn)
		}
	}()
	_, err := Start(ctx, Server{Path: built.one, SHA256: sum(t, built.one), Args: []string{"silent"}, Env: []string{"BEACON=" + path}, Guard: Guard{Optional: true}})
	if !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v", err)
	}
}

// The kernel's parent-death signal follows the thread that forked.
func TestTheServerOutlivesTheThreadThatStartedIt(t *testing.T) {
	beacons, path := listen(t)
	var client *Client
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		client = start(t, "normal", "BEACON="+path)
	}()
	<-finished
	conn := beacons.accept(t)
	runtime.GC() // gives the thread every occasion to be gone
	if got, err := client.Call(t.Context(), "version", nil); err != nil || got.Text != "one" {
		t.Errorf("%v", err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	ended(t, conn)
}

func TestKillingUsEndsTheServer(t *testing.T) {
	beacons, path := listen(t)
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), "POSTERN_TEST_PARENT="+path, "POSTERN_TEST_SERVER="+built.one, "POSTERN_TEST_SHA256="+sum(t, built.one))
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	conn := beacons.accept(t)
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal("the parent did not start the server")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ended(t, conn)
}

// parent is the process that TestKillingUsEndsTheServer kills. The server it
// starts does not leave when its stdin ends, so that only the signal ends it.
func parent() {
	_, err := Start(context.Background(), Server{
		Path:   os.Getenv("POSTERN_TEST_SERVER"),
		SHA256: os.Getenv("POSTERN_TEST_SHA256"),
		Args:   []string{"deaf"},
		Env:    []string{"BEACON=" + os.Getenv("POSTERN_TEST_PARENT")},
		Guard:  Guard{Optional: true},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("ready")
	time.Sleep(time.Hour)
}
