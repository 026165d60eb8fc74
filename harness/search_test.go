package harness

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
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
		"as it is": text, "in capitals": strings.ToUpper(text), "raw": string(raw),
		"base64": base64.StdEncoding.EncodeToString([]byte(text)), "hexadecimal": hex.EncodeToString([]byte(text)),
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
				return l.search(dir)
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

func TestASearchThatCannotSearchFails(t *testing.T) {
	if (&lab{}).search(t.TempDir()) == nil {
		t.Error("searched for no canary")
	}
	l := &lab{key: canary.NewKey()}
	if _, err := l.mint("protected/1", ""); err != nil {
		t.Fatal(err)
	}
	if l.search(t.TempDir()) == nil {
		t.Error("searched no file")
	}
	if l.search(filepath.Join(t.TempDir(), "none")) == nil {
		t.Error("searched what is not there")
	}
}
