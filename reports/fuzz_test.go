package reports

import (
	"bytes"
	"strings"
	"testing"
)

func FuzzDecode(f *testing.F) {
	m, e := sample()
	evidence, _ := encode(Complete(e))
	manifest, _ := encode(m)
	for _, seed := range [][]byte{evidence, manifest, []byte("{}"), []byte("null"), []byte(`{"schema":1,"schema":1}`), []byte("{\"a\xff\":1}"), []byte("[[[[")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, problems := decode[Evidence](evidenceFile, data)
		if again, err := encode(e); problems == nil && (err != nil || !bytes.Equal(again, data)) {
			t.Error("accepted evidence has a second spelling")
		}
		m, problems := decode[Manifest](manifestFile, data)
		if again, err := encode(m); problems == nil && (err != nil || !bytes.Equal(again, data)) {
			t.Error("an accepted manifest has a second spelling")
		}
		for _, p := range problems {
			if p.At != "" && !strings.HasPrefix(p.At, "byte ") {
				t.Error("a place that is no offset")
			}
		}
	})
}

// FuzzInspect is Open over any three files, with every digest put right.
func FuzzInspect(f *testing.F) {
	s, err := compileSchemas()
	if err != nil {
		f.Fatal(err)
	}
	m, e := sample()
	m.Schema, e.Schema, e.Generator.Name = SchemaVersion, SchemaVersion, "postern"
	manifest, _ := encode(m)
	e.ManifestSHA256 = digest(manifest)
	evidence, _ := encode(Complete(e))
	f.Add(evidence, manifest, []byte(nil))
	f.Add(bytes.Replace(evidence, []byte(`"sightings": 2`), []byte(`"sightings": 3`), 1), manifest, []byte("x"))
	f.Add(bytes.Replace(evidence, []byte(`"killed": 2`), []byte(`"killed": 3`), 1), manifest, []byte(nil))
	f.Fuzz(func(t *testing.T, evidence, manifest, extra []byte) {
		files := map[string][]byte{evidenceFile: evidence, manifestFile: manifest}
		reseal(files)
		files[sumsFile] = append(files[sumsFile], extra...)
		b, problems := inspect(s, files)
		if len(problems) > 0 {
			return
		}
		if len(extra) > 0 || Complete(b.Evidence).Summary != b.Evidence.Summary {
			t.Error("accepted, and does not add up")
		}
		if b.Evidence.Summary.Accepted != (Gate(b.Evidence.Summary, b.Evidence.Channels, b.Evidence.Controls, b.Evidence.Trials...) == nil) {
			t.Error("accepted against the gate")
		}
	})
}

// FuzzBlank gives files that are none of ours: what is left has the length that
// it had, and differs only where there are blanks now.
func FuzzBlank(f *testing.F) {
	for _, text := range []string{`{"generator":{"commit":"0123456789012345678901234567890123456789"}}`, `{"manifest_sha256":"\u0030"}`, `{"a":[1,"b"],"a":2}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range bundleFiles() {
			got := Blank(name, data)
			if len(got) != len(data) {
				t.Fatalf("%s: %d bytes became %d", name, len(data), len(got))
			}
			for i := range got {
				if got[i] != data[i] && got[i] != ' ' {
					t.Fatalf("%s: byte %d is new", name, i)
				}
			}
			if again := Blank(name, got); string(again) != string(got) {
				t.Fatalf("%s: blanks are not left alone", name)
			}
		}
	})
}
