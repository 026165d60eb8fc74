package audit

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// These make this test binary another process: one that writes until it is
// killed, or one whose disk cannot be waited for.
const (
	childRole = "POSTERN_AUDIT_CHILD"
	childPath = "POSTERN_AUDIT_PATH"
	childWeak = "POSTERN_AUDIT_WEAK"
)

var weaknesses = map[string]Weakness{"": {}, "early": {Early: true}, "nosync": {NoSync: true}}

func TestMain(m *testing.M) {
	path, weak := os.Getenv(childPath), weaknesses[os.Getenv(childWeak)]
	var err error
	switch os.Getenv(childRole) {
	case "":
		os.Exit(m.Run())
	case "load":
		err = writeForever(path, weak)
	case "syncless":
		err = writeWithoutSync(path, weak)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(role, path, weak string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+role, childPath+"="+path, childWeak+"="+weak)
	return cmd
}

// writeForever puts a log under load: two sessions of four callers each, new
// ones all the time. It says on stdout, by session and call, what was released.
func writeForever(path string, w Weakness) error {
	log, err := OpenWeakLog(context.Background(), path, w)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for range 2 {
		go func() {
			for {
				if err := writeSession(log); err != nil {
					failed <- err
				}
			}
		}()
	}
	return <-failed
}

func writeSession(log *Log) error {
	id := rand.Text()
	s := log.Session(id)
	errs := make([]error, 4)
	var callers sync.WaitGroup
	for i := range errs {
		callers.Go(func() {
			for call := i * 5; call < i*5+5; call++ {
				if errs[i] = s.Append(context.Background(), sample(int64(call))); errs[i] != nil {
					return
				}
				os.Stdout.WriteString(id + " " + strconv.Itoa(call) + "\n")
			}
		})
	}
	callers.Wait()
	return errors.Join(append(errs, s.End(context.Background()))...)
}

// life runs a process until it is killed at a moment, and adds what it said it
// had released.
func life(t testing.TB, path, weak string, killed time.Duration, afterFirst bool, released map[string]bool) {
	t.Helper()
	process := child("load", path, weak)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { time.AfterFunc(killed, func() { process.Process.Kill() }) }
	if !afterFirst {
		kill()
	}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		released[lines.Text()] = true
		if n == 0 && afterFirst {
			kill()
		}
	}
	if err := process.Wait(); err == nil || process.ProcessState.Exited() {
		t.Fatal("a process that writes ended by itself")
	}
}

// lost opens a log again, goes on with it, verifies it, and counts the calls
// that were released and are not in it.
func lost(t testing.TB, path string, released map[string]bool) (missing int) {
	t.Helper()
	log, err := Open(t.Context(), path)
	if err != nil {
		t.Fatalf("the file does not open: %v", err)
	}
	if err := fill(t, log, rand.Text(), 1).End(t.Context()); err != nil {
		t.Error(err)
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Verify(t.Context(), path, log.Head()); err != nil {
		t.Fatalf("the file does not verify: %v", err)
	}
	there := map[string]bool{}
	for _, r := range rowsOf(t, path) {
		there[r.session+" "+strconv.FormatInt(r.call, 10)] = true
	}
	for call := range released {
		if !there[call] {
			missing++
		}
	}
	return missing
}

// kills is how many lives the log has here; the whole is for who asks for it.
func kills() int {
	if os.Getenv("POSTERN_CRASH") == "full" {
		return 200
	}
	return 40
}

// livesEach is how many processes write one file, one after the other.
const livesEach = 10

func TestKilledAtAnyPointTheLogHoldsEveryReleasedCall(t *testing.T) {
	for lane := range 2 {
		t.Run(strconv.Itoa(lane), func(t *testing.T) {
			t.Parallel()
			seed := mathrand.Uint64()
			random := mathrand.New(mathrand.NewPCG(seed, uint64(lane)))
			all, silent := 0, 0
			for begun := 0; begun < kills()/2; begun += livesEach {
				path, released := filepath.Join(t.TempDir(), "audit.db"), map[string]bool{}
				for range livesEach {
					before := len(released)
					// one in four is killed while it opens the file
					life(t, path, "", time.Duration(random.Int64N(int64(40*time.Millisecond))), random.IntN(4) > 0, released)
					if missing := lost(t, path, released); missing > 0 {
						t.Fatalf("seed %d: %d of %d released calls are not in the log", seed, missing, len(released))
					}
					if len(released) == before {
						silent++
					}
				}
				all += len(released)
			}
			t.Logf("%d kills, %d of them before anything was released; %d released calls are all there", kills()/2, silent, all)
			if all < kills() {
				t.Errorf("%d calls in %d lives: the load was none", all, kills()/2)
			}
		})
	}
}

// The same load on a log that releases early must lose a call: else the test
// above proves nothing.
func TestALogThatReleasesEarlyLosesACall(t *testing.T) {
	for range 20 {
		path, released := filepath.Join(t.TempDir(), "audit.db"), map[string]bool{}
		life(t, path, "early", 10*time.Millisecond, true, released)
		if lost(t, path, released) > 0 {
			return
		}
	}
	t.Error("in 20 lives no call was lost")
}

// BenchmarkKilled says in numbers what the tests above hold, for whoever reads the
// output: of how many kills at a random point each log lost how many of how many
// released calls. The one that releases early is there to show that a loss is seen.
func BenchmarkKilled(b *testing.B) {
	for _, kind := range []struct {
		name, weak string
		loses      bool
	}{{"strict", "", false}, {"early", "early", true}} {
		b.Run(kind.name, func(b *testing.B) {
			kills, silent, all, gone := 0, 0, 0, 0
			for b.Loop() {
				path, released := filepath.Join(b.TempDir(), "audit.db"), map[string]bool{}
				life(b, path, kind.weak, time.Duration(mathrand.Int64N(int64(40*time.Millisecond))), mathrand.IntN(4) > 0, released)
				kills, all, gone = kills+1, all+len(released), gone+lost(b, path, released)
				if len(released) == 0 {
					silent++
				}
			}
			if gone > 0 && !kind.loses {
				b.Errorf("%d of %d released calls are not in the log", gone, all)
			}
			for _, n := range []struct {
				what  string
				count int
			}{{"kills", kills}, {"silent-kills", silent}, {"released-calls", all}, {"lost-calls", gone}} {
				b.ReportMetric(float64(n.count), n.what)
			}
		})
	}
}
