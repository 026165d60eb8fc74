package reports

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClosedKeepsNoFreeText(t *testing.T) {
	got := Environment{
		OS: "plan9", Arch: "amd64", Kernel: "5.15.167.4-microsoft-standard-WSL2", Engine: "v28", EngineAPI: "1.41", Runtime: "nvidia",
		StorageDriver: "io.containerd.snapshotter.v1.overlayfs", CgroupVersion: 3, CPUs: 2, CorePattern: "|/usr/lib/handler %p", CompatCalls: "no", Sandbox: "bubblewrap",
	}.Closed()
	want := Environment{
		OS: Other, Arch: "amd64", Kernel: "5.15.167.4", Engine: Unknown, EngineAPI: "1.41", Runtime: Other,
		StorageDriver: Other, CgroupVersion: 0, Image: "none", CPUs: 2, CorePattern: Other, CompatCalls: "no", Sandbox: "bubblewrap",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	empty := Environment{OS: Unknown, Arch: Unknown, Kernel: Unknown, Engine: Unknown, EngineAPI: Unknown, Runtime: Unknown,
		StorageDriver: Unknown, Image: "none", CorePattern: Unknown, CompatCalls: Unknown, Sandbox: Unknown}
	if diff := cmp.Diff(empty, Environment{}.Closed()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(got, got.Closed()); diff != "" {
		t.Errorf("closing twice differs: %s", diff)
	}
}

func TestWhatClosedGivesIsWithinTheSchema(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	for _, text := range []string{"", "unknown", "6.8.0-45-generic", "1.2.3.4.5.6", "123456.1", "1.1234567", "x", "amd64", "runc", "\x00", "zfs"} {
		_, e := sample()
		e.Schema, e.Generator.Name, e.ManifestSHA256 = SchemaVersion, "postern", digest(nil)
		e.Environment = Environment{OS: text, Arch: text, Kernel: text, Engine: text, EngineAPI: text, Runtime: text, StorageDriver: text,
			CgroupVersion: len(text), CPUs: 1, CorePattern: text, CompatCalls: text, Sandbox: text}.Closed()
		data, err := encode(Complete(e))
		must(t, err)
		if problems := validate(s.evidence, evidenceFile, data); problems != nil {
			t.Errorf("%q: %v", text, problems)
		}
	}
}
