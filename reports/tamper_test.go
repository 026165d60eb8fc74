package reports

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func filesOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range bundleFiles() {
		files[name] = []byte(readFile(t, dir, name))
	}
	return files
}

func copyOf(files map[string][]byte) map[string][]byte {
	again := map[string][]byte{}
	for name, data := range files {
		again[name] = slices.Clone(data)
	}
	return again
}

// resum does what an attacker without skill would: SHA256SUMS again.
func resum(files map[string][]byte) { files[sumsFile] = sums(files) }

// reseal does all that needs no oracle: the manifest's digest in the evidence,
// the view, and SHA256SUMS.
func reseal(files map[string][]byte) {
	text := string(files[evidenceFile])
	const key = `"manifest_sha256": "`
	if i := strings.Index(text, key); i >= 0 {
		i += len(key)
		text = text[:i] + digest(files[manifestFile]) + text[min(len(text), i+64):]
		files[evidenceFile] = []byte(text)
	}
	if e, problems := decode[Evidence](evidenceFile, files[evidenceFile]); problems == nil {
		files[junitFile], _ = junit(e)
	}
	resum(files)
}

func edit(t *testing.T, dir, name, old, new string) {
	t.Helper()
	text := readFile(t, dir, name)
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", name, old)
	}
	put(t, dir, name, strings.Replace(text, old, new, 1))
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}
