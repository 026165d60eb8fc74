package reports

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestABundleReadsBackAsItWasWritten(t *testing.T) {
	out := filepath.Join(t.TempDir(), "bundle")
	m, e := sample()
	slices.Reverse(e.Trials) // trials end in any order; the bundle has the manifest's
	written := publishTo(t, out, m, e)
	b, problems, err := Open(out)
	if err != nil || problems != nil {
		t.Fatal(problems, err)
	}
	again, _ := encode(b.Evidence)
	first, _ := encode(written)
	if diff := cmp.Diff(string(first), string(again)); diff != "" {
		t.Error(diff)
	}
	if !b.Evidence.Summary.Accepted || b.Evidence.Summary.ChannelsOpened != 2 || len(b.Manifest.Trials) != 15 {
		t.Errorf("summary %+v", b.Evidence.Summary)
	}
	if id := b.Evidence.Trials[0].ID; id != "protected/1" {
		t.Errorf("first trial is %s", id)
	}
	info, err := os.Stat(out)
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	if names := namesIn(t, filepath.Dir(out)); !slices.Equal(names, []string{"bundle"}) {
		t.Errorf("left beside the bundle: %v", names)
	}
}

func TestSHA256SumChecksTheBundle(t *testing.T) {
	check := exec.Command("sha256sum", "--strict", "-c", "SHA256SUMS")
	check.Dir = publish(t)
	if text, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
}

func TestTwoRunsOverTheSameNumbersGiveTheSameBytes(t *testing.T) {
	a, b := publish(t), publish(t)
	for _, name := range bundleFiles() {
		if diff := cmp.Diff(readFile(t, a, name), readFile(t, b, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTheManifestIsThereBeforeAnyResult(t *testing.T) {
	out := filepath.Join(t.TempDir(), "bundle")
	s, err := Stage(out)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Discard()
	m, e := sample()
	info, err := os.Stat(s.Dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("staging directory: %v %v", info, err)
	}
	if err := s.WriteManifest(m); err != nil {
		t.Fatal(err)
	}
	before := readFile(t, s.Dir, manifestFile)
	written, err := s.WriteEvidence(e)
	if err != nil {
		t.Fatal(err)
	}
	if written.ManifestSHA256 != digest([]byte(before)) {
		t.Error("the evidence holds another digest than that of the manifest")
	}
	if _, err := os.Lstat(out); !os.IsNotExist(err) {
		t.Errorf("there is something at out before Publish: %v", err)
	}
}

func TestEachStepRefusesToBeTakenOutOfTurn(t *testing.T) {
	s, err := Stage(filepath.Join(t.TempDir(), "bundle"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Discard()
	m, e := sample()
	evidence := func() error { _, err := s.WriteEvidence(e); return err }
	manifest := func() error { return s.WriteManifest(m) }
	wantError(t, evidence(), "writing the evidence: out of turn")
	wantError(t, s.Seal(), "sealing the bundle: out of turn")
	wantError(t, s.Publish(), "publishing the bundle: out of turn")
	wantError(t, manifest(), "")
	wantError(t, manifest(), "writing the manifest: out of turn")
	wantError(t, s.Seal(), "sealing the bundle: out of turn")
	wantError(t, evidence(), "")
	wantError(t, evidence(), "writing the evidence: out of turn")
	wantError(t, s.Publish(), "publishing the bundle: out of turn")
	wantError(t, s.Discard(), "")
	wantError(t, s.Discard(), "")
	wantError(t, s.Seal(), "sealing the bundle: out of turn")
}

func TestWritingRefusesWhatOpenWould(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Manifest, *Evidence)
		want   string
	}{
		"a payload in the plan": {
			func(m *Manifest, e *Evidence) { m.Trials[0].Expected.Outcome = "00112233445566778899aabbccddeeff" },
			"writing the manifest: manifest.json: outside the schema at /trials/0/expected/outcome\nmanifest.json: shaped like a canary at byte 407",
		},
		"a payload in a result": {
			func(m *Manifest, e *Evidence) { e.Trials[0].Reasons = []string{"Plaintext"} },
			"writing the evidence: evidence.json: outside the schema at /trials/0/reasons/0",
		},
		"a negative number": {
			func(m *Manifest, e *Evidence) { e.Trials[0].Allowed = -1 },
			"writing the evidence: evidence.json: outside the schema at /trials/0/allowed",
		},
		"a trial that was not planned": {
			func(m *Manifest, e *Evidence) { m.Trials = m.Trials[1:] },
			"sealing the bundle: evidence.json: trial that the manifest does not plan at /trials/0\nevidence.json: count differs from the trials at /run/planned",
		},
		"an expectation changed after the fact": {
			func(m *Manifest, e *Evidence) { e.Trials[2].Expected.Released = 0 },
			"sealing the bundle: evidence.json: trial differs from its plan at /trials/2",
		},
		"a protected trial with a status": {
			func(m *Manifest, e *Evidence) { e.Trials[0].Status = Killed },
			"writing the evidence: evidence.json: outside the schema at /trials/0/status",
		},
		"a protected trial that was stopped": {
			func(m *Manifest, e *Evidence) { e.Trials[0].StoppedUS = 1 },
			"writing the evidence: evidence.json: outside the schema at /trials/0/stopped_us",
		},
		"a failure mode that was stopped": {
			func(m *Manifest, e *Evidence) { e.Trials[6].StoppedUS = 1 },
			"writing the evidence: evidence.json: outside the schema at /trials/6/stopped_us",
		},
		"a death before the fault": {
			func(m *Manifest, e *Evidence) { e.Trials[9].StoppedUS = -1 },
			"writing the evidence: evidence.json: outside the schema at /trials/9/stopped_us",
		},
		"a supervision trial with a control": {
			func(m *Manifest, e *Evidence) {
				m.Trials[8].Control, e.Trials[8].Control = "profile.log-none", "profile.log-none"
			},
			"writing the evidence: evidence.json: outside the schema at /trials/8/control",
		},
		"a stage that admission has not": {
			func(m *Manifest, e *Evidence) { e.Trials[2].Refused[0].Stage = "removed" },
			"writing the evidence: evidence.json: outside the schema at /trials/2/refused/0/stage",
		},
		"a mutant without a status": {
			func(m *Manifest, e *Evidence) { e.Trials[2].Status = "" },
			"writing the evidence: evidence.json: outside the schema at /trials/2/status",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, e := sample()
			c.change(&m, &e)
			s, err := Stage(filepath.Join(t.TempDir(), "bundle"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Discard()
			err = s.WriteManifest(m)
			if err == nil {
				_, err = s.WriteEvidence(e)
			}
			if err == nil {
				err = s.Seal()
			}
			wantError(t, err, c.want)
		})
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
