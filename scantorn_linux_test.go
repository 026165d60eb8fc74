package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log that was cut off is searched as far as it goes, and then nothing found
// is no proof.
func TestScanTellsOfAFileThatIsCutOff(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for n := range 2000 {
		w.Write([]byte{byte(n), byte(n >> 3), byte(n * n)})
	}
	w.Write([]byte(planted))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "log.gz")
	put := func(b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	told := path + ": cut off or damaged: gzip; what is left of it was searched\n"

	put(packed.Bytes())
	if _, stderr, code := scannedBy(t, path); code != exitFindings || stderr != "" {
		t.Errorf("whole: exit code %d: %s", code, stderr)
	}
	put(packed.Bytes()[:packed.Len()/2])
	stdout, stderr, code := scannedBy(t, path)
	if code != exitCannot || !strings.HasPrefix(stderr, "postern: "+told) || !strings.Contains(stdout, "nothing found, unproven in 1 place") {
		t.Errorf("cut off: exit code %d: %s%s", code, stdout, stderr)
	}
	stdout, stderr, code = scannedBy(t, "--json", path)
	if code != exitCannot || stdout != "" || strings.Count(stderr, told) != 1 {
		t.Errorf("cut off, as JSON: exit code %d: %s%s", code, stdout, stderr)
	}
	put(packed.Bytes()[:packed.Len()-2])
	if _, stderr, code := scannedBy(t, path); code != exitFindings || !strings.Contains(stderr, told) {
		t.Errorf("without its end, and found: exit code %d: %s", code, stderr)
	}
}
