package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

const planted = "canary-0f1e2d3c4b5a69788796a5b4c3d2e1f0"

// scanned runs the command and returns what it says and its exit code.
func scannedBy(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	keys := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(keys, []byte(planted+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := root()
	cmd.SetArgs(append([]string{"scan", "--key-file", keys}, args...))
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	code = exitCode(cmd.ExecuteContext(t.Context()), &errs)
	if all := out.String() + errs.String(); strings.Contains(all, planted[7:]) {
		t.Error("the canary was printed")
	}
	return out.String(), errs.String(), code
}

func TestScanOfThingsThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := scannedBy(t, dir)
	if code != exitOK || !strings.Contains(stderr, "pipe: not opened: a pipe") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if _, _, code := scannedBy(t, filepath.Join(dir, "pipe")); code != exitCannot {
		t.Errorf("a pipe that was asked for: exit code %d", code)
	}
	if _, stderr, code := scannedBy(t, "/dev/null"); code != exitCannot || !strings.Contains(stderr, "a device") {
		t.Errorf("a device: exit code %d: %s", code, stderr)
	}
}

func TestScanReadsAFileOnceAndItsAttributes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, []byte("twelve bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if stdout, _, code := scannedBy(t, dir); code != exitOK || !strings.Contains(stdout, ": 1 file, 12 bytes") {
		t.Errorf("exit code %d: %s", code, stdout)
	}
	if err := unix.Setxattr(path, "user.note", []byte(planted), 0); err != nil {
		t.Skip("the file system keeps no attributes")
	}
	if stdout, _, code := scannedBy(t, "--json", dir); code != exitFindings || !strings.Contains(stdout, `"technique":"xattr/`) {
		t.Errorf("exit code %d: %s", code, stdout)
	}
}

// A canary that is spread over the names of a folder is found there, and then
// none of them is shown.
func TestScanPutsNamesTogether(t *testing.T) {
	dir := t.TempDir()
	for i, c := range planted {
		name := filepath.Join(dir, fmt.Sprintf("%02d%c", i, c))
		if err := os.WriteFile(name, []byte(planted), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stdout, _, _ := scannedBy(t, "--json", "--parallel", "3", dir)
	if strings.Count(stdout, "\n") < len(planted) {
		t.Errorf("%d lines", strings.Count(stdout, "\n"))
	}
	if !strings.Contains(stdout, `"technique":"name/`) {
		t.Skip("no stage puts names together yet")
	}
	if strings.Contains(stdout, "/00c") {
		t.Error("the names are shown")
	}
}
