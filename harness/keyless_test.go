package harness

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postern/fixtures/channel"
	"postern/observers/canary"
	"postern/reports"
)

// disguises are how a canary of an unknown run might stand in a bundle, and the
// last closed word of how it is told, where it is one that needs decoding.
func disguises(text string) map[string]struct{ form, technique string } {
	raw, _ := hex.DecodeString(text)
	b64 := base64.StdEncoding.EncodeToString
	in64 := b64([]byte(text))
	return map[string]struct{ form, technique string }{
		"as it is":              {text, ""},
		"in capitals":           {strings.ToUpper(text), ""},
		"base64 of the bytes":   {b64(raw), ""},
		"base64 of the digits":  {in64, ""},
		"base32 of the digits":  {base32.StdEncoding.EncodeToString([]byte(text)), ""},
		"gzip":                  {string(zipped("key " + text)), "no text"},
		"gzip in base64":        {b64(zipped("key " + text)), ""},
		"percent":               {percent(text), "/hex-shape"},
		"percent of base64":     {percent(b64(raw)), "-shape"}, // its digits in pairs are hexadecimal too,
		"percent of percent":    {percent(percent(text)), "/hex-shape"},
		"base64 in short lines": {in64[:16] + "\n" + in64[16:32] + "\n" + in64[32:], "/hex-shape"},
		"raw":                   {"\x01" + string(raw), "no text"},
	}
}

// small is a bundle of two trials.
func small(t *testing.T, change func(*reports.Evidence)) string {
	t.Helper()
	few := idealEvidence()
	few.Trials, few.Run.Selected, few.Run.Planned = few.Trials[:2], 2, 2
	change(&few)
	return bundle(t, few, manifestOf(0, here().Specs()[:2]))
}

// Into every file that a bundle has, whatever its format, and into one that it
// has not, a canary is put that nobody has the key of.
func TestAShapeInAnyFileOfABundleIsSeenWithoutAKey(t *testing.T) {
	dir := small(t, func(*reports.Evidence) {})
	if problems, err := keyless(t.Context(), dir); err != nil || len(problems) > 0 {
		t.Fatalf("a bundle without a canary: %v, %v", problems, err)
	}
	text := canary.NewKey().Mint("of another run", channel.FileRoot).Reveal()
	if err := os.WriteFile(filepath.Join(dir, "report.html"), []byte("<!doctype html>\n<title>Postern</title>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		good, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		alone := t.TempDir()
		for name, d := range disguises(text) {
			at := bytes.LastIndexByte(good[:len(good)-1], '\n') + 1
			bad := string(good[:at]) + " " + d.form + " " + string(good[at:])
			if err := os.WriteFile(filepath.Join(alone, f.Name()), []byte(bad), 0o600); err != nil {
				t.Fatal(err)
			}
			problems, err := keyless(t.Context(), alone)
			said := strings.Join(problems, "\n")
			if err != nil || len(problems) == 0 || !strings.Contains(said, d.technique) {
				t.Errorf("%s in %s: %v, %v", name, f.Name(), problems, err)
			}
			if strings.Contains(said, d.form) || strings.Contains(said, text) {
				t.Errorf("%s in %s: it is repeated", name, f.Name())
			}
		}
	}
}

func TestVerifyTellsOfAShapeInAnUnknownFile(t *testing.T) {
	dir := small(t, func(*reports.Evidence) {})
	text := canary.NewKey().Mint("of another run", channel.FileRoot).Reveal()
	hidden := base64.StdEncoding.EncodeToString([]byte(percent(text)))
	if err := os.WriteFile(filepath.Join(dir, "z-"+text), []byte(hidden), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := Verify(dir)
	said := strings.Join(v.Problems, "\n")
	if err != nil || v.Summary.Accepted || strings.Contains(said, text) {
		t.Fatalf("accepted %v, or the name is told; error %v", v.Summary.Accepted, err)
	}
	for _, want := range []string{"file 4 of the bundle: its name is shaped", "file 4 of the bundle: shaped like a canary at byte 0"} {
		if !strings.Contains(said, want) {
			t.Errorf("not said: %s", want)
		}
	}
}

// A canary in the place of a digest is not seen by its shape: this is what the
// search says of itself.
func TestDigestsOfTheFormatAreNoShapes(t *testing.T) {
	dir := small(t, func(e *reports.Evidence) {
		e.Generator.Commit, e.Environment.Image = strings.Repeat("0123456789abcdef0123", 2), "sha256:"+strings.Repeat("0123456789abcdef", 4)
	})
	if problems, err := keyless(t.Context(), dir); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}
