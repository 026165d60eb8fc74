package harness

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postern/fixtures/channel"
	"postern/observers/canary"
	"postern/reports"
)

// A bundle that holds a canary in any form that the observers know must never
// appear, and the text of the canary not even in the error.
func TestACanaryInTheBundleKeepsItFromAppearing(t *testing.T) {
	l := &lab{key: canary.NewKey()}
	c, err := l.mint("protected/1", "")
	if err != nil {
		t.Fatal(err)
	}
	text := c.planted(channel.FileRoot)
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string]string{
		"as it is": text, "in capitals": strings.ToUpper(text), "raw": string(raw), "half of it": text[:16],
		"base64": base64.StdEncoding.EncodeToString([]byte(text)), "hexadecimal": hex.EncodeToString([]byte(text)),
		"base64 in gzip":         string(zipped(base64.StdEncoding.EncodeToString([]byte(text)))),
		"gzip in base64":         base64.StdEncoding.EncodeToString(zipped("the key is " + text)),
		"gzip in base64 in gzip": string(zipped(base64.StdEncoding.EncodeToString(zipped(text)))),
		"percent in base32":      base32.StdEncoding.EncodeToString([]byte(percent(text))),
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "bundle")
			stage, err := reports.Stage(out)
			if err != nil {
				t.Fatal(err)
			}
			if err := stage.WriteManifest(manifestOf(0, here().Specs())); err != nil {
				t.Fatal(err)
			}
			planted := func(dir string) error {
				if err := os.WriteFile(filepath.Join(dir, "notes"), []byte("x "+form+" y"), 0o600); err != nil {
					t.Fatal(err)
				}
				return l.search(t.Context(), dir)
			}
			few := idealEvidence()
			few.Trials, few.Run.Selected = few.Trials[:2], 2
			_, err = seal(stage, few, planted)
			if !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "notes, offset 2") {
				t.Errorf("the search said: %v", err)
			}
			if err != nil && strings.Contains(err.Error(), form) {
				t.Error("the search repeats the canary")
			}
			stage.Discard()
			if left, _ := os.ReadDir(filepath.Dir(out)); len(left) != 0 {
				t.Errorf("%d entries are left", len(left))
			}
		})
	}
}

func zipped(text string) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write([]byte(text))
	w.Close()
	return out.Bytes()
}

func percent(text string) string {
	var out strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&out, "%%%02x", c)
	}
	return out.String()
}

// planted is a lab with one canary, and that canary's text.
func planted(t *testing.T) (*lab, string) {
	t.Helper()
	l := &lab{key: canary.NewKey()}
	c, err := l.mint("protected/1", "")
	if err != nil {
		t.Fatal(err)
	}
	return l, c.planted(channel.FileRoot)
}

func TestACanaryInAFilesNameIsFoundAndNotTold(t *testing.T) {
	l, text := planted(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a-"+text), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := l.search(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), "the names of its files, offset 2") || strings.Contains(err.Error(), text) {
		t.Error("the search did not say that a name holds a canary, or repeats it")
	}
}

// What could not be read to its end may hold a canary.
func TestABundleThatIsNotReadToItsEndIsRefused(t *testing.T) {
	l, text := planted(t)
	deep := []byte(text)
	for range 12 {
		deep = zipped(string(deep))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes"), deep, 0o600); err != nil {
		t.Fatal(err)
	}
	err := l.search(t.Context(), dir)
	if err == nil || !strings.HasSuffix(err.Error(), "could not be searched to its end: notes, depth") {
		t.Errorf("the search said: %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes"), []byte("notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l.search(over, dir) == nil {
		t.Error("a search without time found nothing, and passed")
	}
}

func TestASearchThatCannotSearchFails(t *testing.T) {
	if (&lab{}).search(t.Context(), t.TempDir()) == nil {
		t.Error("searched for no canary")
	}
	l := &lab{key: canary.NewKey()}
	if _, err := l.mint("protected/1", ""); err != nil {
		t.Fatal(err)
	}
	if l.search(t.Context(), t.TempDir()) == nil {
		t.Error("searched no file")
	}
	if l.search(t.Context(), filepath.Join(t.TempDir(), "none")) == nil {
		t.Error("searched what is not there")
	}
}
