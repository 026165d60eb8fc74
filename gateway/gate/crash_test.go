package gate

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// crashPath makes this test binary a process that updates until it is killed.
const crashPath = "POSTERN_GATE_CRASH"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashPath); path != "" {
		fmt.Fprintln(os.Stderr, updateForever(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// updateForever says on stdout each revision that was acknowledged.
func updateForever(path string) error {
	g, err := New(toolSet, Options{Path: path, Create: true})
	if err != nil {
		return err
	}
	for {
		revision := g.Status().Revision + 1
		if err := g.Update(context.Background(), Update{Revision: revision, Revoked: toolSet[:revision%2]}); err != nil {
			return err
		}
		fmt.Println(revision)
	}
}

func TestAKilledProcessLosesNoAcknowledgedRevision(t *testing.T) {
	path, known := statePath(t), uint64(0)
	for life := range 20 {
		acknowledged := killAfter(t, path, 1+life*3)
		if acknowledged <= known {
			t.Fatalf("life %d acknowledged nothing after revision %d", life, known)
		}
		got, code := reopen(Options{Path: path, Known: acknowledged}, toolSet...)
		if code != "" {
			t.Fatalf("life %d: after revision %d the state is refused: %q", life, acknowledged, code)
		}
		if want := int(got.Revision % 2); len(got.Revoked) != want {
			t.Errorf("life %d: revision %d revokes %d tools, want %d", life, got.Revision, len(got.Revoked), want)
		}
		known = got.Revision
	}
}

// killAfter runs a process until it has acknowledged a number of updates, and
// returns the last one that it could say before it was dead.
func killAfter(t *testing.T, path string, updates int) (last uint64) {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), crashPath+"="+path)
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for said := 1; lines.Scan(); said++ {
		if last, err = strconv.ParseUint(lines.Text(), 10, 64); err != nil {
			t.Fatal("a process that updates said no revision")
		}
		if said == updates {
			if err := process.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := process.Wait(); err == nil {
		t.Fatal("a process that updates ended by itself")
	}
	return last
}
