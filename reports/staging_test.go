package reports

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// childOut names the bundle that a child process of the tests stages, until it
// is killed.
const childOut = "POSTERN_TEST_STAGE"

func TestMain(m *testing.M) {
	if out := os.Getenv(childOut); out != "" {
		stageForEver(out)
	}
	os.Exit(m.Run())
}

func stageForEver(out string) {
	s, err := Stage(out)
	if err == nil {
		m, _ := sample()
		err = s.WriteManifest(m)
	}
	if err != nil {
		os.Exit(3)
	}
	os.Stdout.WriteString("staged\n")
	bufio.NewReader(os.Stdin).ReadByte() // until killed
	os.Exit(4)
}

func TestAKilledRunLeavesNothingAtOutAndIsClearedByTheNext(t *testing.T) {
	out := filepath.Join(t.TempDir(), "bundle")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childOut+"="+out)
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(stdout).ReadString('\n'); line != "staged\n" {
		t.Fatal("the child did not stage")
	}
	_, err = Stage(out)
	wantError(t, err, "taking the staging directory: another run is making this bundle")
	child.Process.Kill()
	child.Wait()

	if _, err := os.Lstat(out); !os.IsNotExist(err) {
		t.Errorf("something stands at out: %v", err)
	}
	stale := readFile(t, stagingPath(out), manifestFile)
	s, err := Stage(out)
	if err != nil || stale == "" {
		t.Fatal(err)
	}
	if names := namesIn(t, s.Dir); len(names) != 0 {
		t.Errorf("the dead run's files are still there: %v", names)
	}
	wantError(t, s.Discard(), "")
	if names := namesIn(t, filepath.Dir(out)); len(names) != 0 {
		t.Errorf("left over: %v", names)
	}
}

func TestClearingTheStagingDirectoryFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	out, kept := filepath.Join(dir, "bundle"), filepath.Join(dir, "kept")
	must(t, os.Mkdir(kept, 0o755))
	must(t, os.WriteFile(filepath.Join(kept, "file"), []byte("x"), 0o644))
	must(t, os.Mkdir(stagingPath(out), 0o700))
	must(t, os.Symlink(kept, filepath.Join(stagingPath(out), "manifest.json")))
	s, err := Stage(out)
	must(t, err)
	must(t, s.Discard())
	if readFile(t, kept, "file") != "x" {
		t.Error("the file behind the link is gone")
	}

	must(t, os.Symlink(kept, stagingPath(out)))
	_, err = Stage(out)
	wantError(t, err, "taking the staging directory: what stands there is not a directory of this user alone")
	must(t, os.Remove(stagingPath(out)))
	must(t, os.Mkdir(stagingPath(out), 0o700))
	must(t, os.Chmod(stagingPath(out), 0o777))
	_, err = Stage(out)
	wantError(t, err, "taking the staging directory: what stands there is not a directory of this user alone")
}

func TestPublishReplacesABundleOfOursInOneStep(t *testing.T) {
	out := publish(t)
	m, e := sample()
	e.Run.StartedUnix++
	publishTo(t, out, m, e)
	b, problems, err := Open(out)
	if err != nil || problems != nil || b.Evidence.Run.StartedUnix != e.Run.StartedUnix {
		t.Error(problems, err)
	}
	if names := namesIn(t, filepath.Dir(out)); len(names) != 1 {
		t.Errorf("left beside the bundle: %v", names)
	}
}

func TestPublishLooksAgainAtWhatItReplaces(t *testing.T) {
	out := filepath.Join(t.TempDir(), "bundle")
	s, err := Stage(out)
	must(t, err)
	m, e := sample()
	must(t, s.WriteManifest(m))
	_, err = s.WriteEvidence(e)
	must(t, err)
	must(t, s.Seal())
	must(t, os.Mkdir(out, 0o755))
	must(t, os.WriteFile(filepath.Join(out, "notes"), []byte("x"), 0o644))
	wantError(t, s.Publish(), "publishing the bundle: the bundle would replace a directory that holds other files")
	must(t, s.Discard())
	if readFile(t, out, "notes") != "x" {
		t.Error("the file is gone")
	}
}

func TestDiscardAfterPublishLeavesTheBundle(t *testing.T) {
	out := publish(t) // whose cleanup discards; do it now as well
	s, err := Stage(out)
	must(t, err)
	m, e := sample()
	must(t, s.WriteManifest(m))
	_, err = s.WriteEvidence(e)
	must(t, err)
	must(t, s.Seal())
	must(t, s.Publish())
	must(t, s.Discard())
	if _, problems, err := Open(out); err != nil || problems != nil {
		t.Error(problems, err)
	}
}

func TestWithoutExchangeTheOldBundleIsNeverLost(t *testing.T) {
	old := publish(t)
	aside := asidePath(old)
	want := readFile(t, old, sumsFile)

	// The second step fails, as it would for a staging directory that is gone.
	if err := replaceInTwo(stagingPath(old), old, aside); err == nil {
		t.Error("no error for a missing staging directory")
	}
	if readFile(t, old, sumsFile) != want {
		t.Error("the old bundle did not come back")
	}

	// Killed between the steps: the next run brings the old bundle back.
	must(t, os.Rename(old, aside))
	s, err := Stage(old)
	must(t, err)
	must(t, s.Discard())
	if readFile(t, old, sumsFile) != want {
		t.Error("the old bundle was not recovered")
	}

	// Killed after them: the next run removes the old bundle.
	m, e := sample()
	publishTo(t, aside, m, e)
	s, err = Stage(old)
	must(t, err)
	must(t, s.Discard())
	if _, err := os.Lstat(aside); !os.IsNotExist(err) {
		t.Errorf("the bundle set aside is still there: %v", err)
	}

	must(t, os.Mkdir(aside, 0o755))
	must(t, os.WriteFile(filepath.Join(aside, "notes"), []byte("x"), 0o644))
	_, err = Stage(old)
	wantError(t, err, "what stands where a bundle would be set aside is no bundle")
}

func TestCheckRefusesToReplaceWhatIsNoBundle(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	make := func(name string, files map[string]string) {
		must(t, os.Mkdir(at(name), 0o755))
		for file, text := range files {
			must(t, os.WriteFile(filepath.Join(at(name), file), []byte(text), 0o644))
		}
	}
	m, _ := sample()
	m.Schema = SchemaVersion
	manifest, _ := encode(m)
	newer := strings.Replace(string(manifest), `"schema": 3`, `"schema": 4`, 1)
	second := strings.Replace(former2(t), `"schema": 3`, `"schema": 2`, 1)
	const former = "{\n  \"schema\": 1,\n  \"seed\": 7,\n  \"trials\": []\n}\n"
	make("empty", nil)
	make("bundle", map[string]string{manifestFile: string(manifest), sumsFile: ""})
	make("other-files", map[string]string{manifestFile: string(manifest), sumsFile: "", "notes": "x"})
	make("no-sums", map[string]string{manifestFile: string(manifest)})
	make("no-manifest", map[string]string{sumsFile: ""})
	make("other-manifest", map[string]string{manifestFile: `{"name":"site"}`, sumsFile: ""})
	make("newer", map[string]string{manifestFile: newer, sumsFile: ""})
	make("second", map[string]string{manifestFile: second, sumsFile: ""})
	make("former", map[string]string{manifestFile: former, sumsFile: ""})
	make("former-changed", map[string]string{manifestFile: strings.Replace(former, `"seed"`, `"notes"`, 1), sumsFile: ""})
	make("linked", map[string]string{sumsFile: ""})
	must(t, os.Symlink(filepath.Join(at("bundle"), manifestFile), filepath.Join(at("linked"), manifestFile)))
	must(t, os.WriteFile(at("file"), nil, 0o644))
	must(t, os.Symlink(at("bundle"), at("link")))

	for _, c := range []struct{ out, want string }{
		{at("nothing"), ""},
		{at("empty"), ""},
		{at("bundle"), ""},
		{at("former"), ""},
		{at("second"), ""},
		{"", "no directory is named for the bundle"},
		{"/", "the bundle cannot be the root directory"},
		{at("file/bundle"), "what stands above the bundle is not a directory"},
		{at("absent/bundle"), "looking at the directory above the bundle: stat " + at("absent") + ": no such file or directory"},
		{at("link"), "the bundle would replace a symbolic link: name the directory itself"},
		{at("file"), "the bundle would replace something that is not a directory"},
		{"/proc", "the bundle would replace a mount point: name a directory in it"},
		{at("other-files"), "the bundle would replace a directory that holds other files"},
		{at("no-sums"), "the bundle would replace a directory that is no bundle"},
		{at("no-manifest"), "the bundle would replace a directory that is no bundle"},
		{at("other-manifest"), "the bundle would replace a directory whose manifest is none of ours"},
		{at("former-changed"), "the bundle would replace a directory whose manifest is none of ours"},
		{at("newer"), "the bundle would replace a directory whose manifest is none of ours"},
		{at("linked"), "the bundle would replace a directory whose manifest is none of ours"},
	} {
		wantError(t, Check(c.out), c.want)
		if c.want != "" {
			_, err := Stage(c.out)
			wantError(t, err, c.want)
		}
	}
	if names := namesIn(t, dir); len(names) != 13 {
		t.Errorf("a refused Stage left something: %v", names)
	}
}

// former2 is a manifest without what version 3 brought.
func former2(t *testing.T) string {
	t.Helper()
	m, _ := sample()
	m.Schema, m.Rules = SchemaVersion, nil
	data, err := encode(m)
	must(t, err)
	return strings.Replace(string(data), ",\n  \"rules\": []", "", 1)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
