package reports

import (
	"fmt"
	"testing"
)

func BenchmarkCompileSchemas(b *testing.B) {
	for b.Loop() {
		if _, err := compileSchemas(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInspect judges a bundle of a thousand mutants.
func BenchmarkInspect(b *testing.B) {
	s, err := compileSchemas()
	if err != nil {
		b.Fatal(err)
	}
	_, e := sample()
	for i := range 1000 {
		e.Trials = append(e.Trials, opened(fmt.Sprintf("policy/rule-%d", i), "profile.network-none", "net.tcp4", "tcp4"))
	}
	e.Schema, e.Generator.Name, e.Run.Planned, e.Run.Selected = SchemaVersion, "postern", len(e.Trials), len(e.Trials)
	m := Manifest{Schema: SchemaVersion, Seed: e.Run.Seed}
	for _, t := range e.Trials {
		m.Trials = append(m.Trials, planOf(t, ""))
	}
	files := map[string][]byte{}
	files[manifestFile], _ = encode(m)
	e.ManifestSHA256 = digest(files[manifestFile])
	files[evidenceFile], _ = encode(Complete(e))
	reseal(files)
	b.SetBytes(int64(len(files[evidenceFile]) + len(files[manifestFile])))
	for b.Loop() {
		if _, problems := inspect(s, files); problems != nil {
			b.Fatal(problems)
		}
	}
}
